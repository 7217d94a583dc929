"""Somebody's code in a process of its own, with a limit on time and memory; and whether it may run here at all."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from core.linear import Factorisation

ROOT = Path(__file__).parents[2]
SECONDS = 20
"""Longest time that a class may take to be measured."""
_ALONE = ("localhost", "127.0.0.1", "::1")
_PASSED_ON = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


@dataclass(frozen=True)
class Fault:
    """Why a text is no counter.

    Attributes:
        reason: of `core.linear.CounterError`; or `class` (no class there), `time`, `memory`, `gone` (the process ended
            without an answer).
        step: the step that shows it. kind, line, detail: type, line and text of the error in the reader's own code.
        message: all of it in English, as the terminal says it; empty where `reason` says everything.
    """

    reason: str
    step: int | None = None
    kind: str = ""
    line: int | None = None
    detail: str = ""
    message: str = ""


def is_alone(address: str | None, headers: Mapping[str, str]) -> bool:
    """Whether only this machine can reach the server, so that its reader may run code on it.

    Args:
        address: Streamlit's option `server.address`; unset, it listens to everybody.
        headers: of the reader's request. A proxy in front of a local server gives itself away, or the host asked for.
    """
    named = {name.lower(): value for name, value in headers.items()}
    try:
        host = urlsplit("//" + named.get("host", "")).hostname
    except ValueError:
        return False
    return address in _ALONE and host in _ALONE and not any(name in named for name in _PASSED_ON)


def measure_apart(
    text: str, horizon: int, progress: Callable[[float], None] | None = None, seconds: float = SECONDS
) -> Factorisation | Fault:
    """Measure the class of a Python text; whatever it does, this returns after `seconds`.

    Args:
        progress: called with the share of the time used, about ten times a second.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        source, result = Path(folder, "counter.py"), Path(folder, "result.npz")
        source.write_text(text, encoding="utf-8", errors="replace")
        command: list[str | Path] = [
            sys.executable,
            "-m",
            "ui.counters.child",
            source,
            str(horizon),
            result,
            str(int(seconds) + 5),
        ]
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            # many threads would reserve more memory than the limit allows
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}, start_new_session=True,
        )  # fmt: skip
        start = time.monotonic()
        try:
            while process.poll() is None:
                used = (time.monotonic() - start) / seconds
                if used > 1.0:
                    return Fault("time")
                if progress:
                    progress(used)
                time.sleep(0.05)
        finally:
            _end(process)
        return _read(result)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process and whatever it has started itself."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _read(result: Path) -> Factorisation | Fault:
    try:
        with np.load(result, allow_pickle=False) as found:
            said = json.loads(str(found["said"]))
            if "reason" in said:
                return Fault(**said)
            return Factorisation(
                said["name"], len(found["decoder"]), said["claimed"], said["measured"], found["encoder"],
                found["decoder"], found["starts"],
            )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, EOFError):
        return Fault("gone")
