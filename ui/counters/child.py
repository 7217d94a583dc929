"""A program of its own: measure one class of a Python text and write what was found, or what is wrong with it.

`python -m ui.counters.child TEXT.py HORIZON RESULT.npz SECONDS`. It runs somebody's code, so it may be stopped at any
moment, and nothing but arrays and JSON is read back from it. No Streamlit here: it has to start quickly.
"""

from __future__ import annotations

import ast
import contextlib
import json
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy as np

from core.linear import CounterError, load_counter, measure_counter

LARGEST_MEMORY = 2 << 30
"""Bytes of address space, where the system can limit it."""


def limit(seconds: int) -> None:
    """A second fence behind the caller's: memory and processor time; Windows offers neither."""
    try:
        import resource
    except ImportError:
        return
    for what, most in ((resource.RLIMIT_AS, LARGEST_MEMORY), (resource.RLIMIT_CPU, seconds)):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, resource.getrlimit(what)[1]))


def find_class(text: str) -> str | None:
    """The last class of the text that has `encode`, else its last class."""
    classes = [node for node in ast.parse(text, "<counter>").body if isinstance(node, ast.ClassDef)]
    able = [c for c in classes if any(isinstance(f, ast.FunctionDef) and f.name == "encode" for f in c.body)]
    return (able or classes)[-1].name if classes else None


def tell(error: BaseException, reason: str, step: int | None) -> dict[str, Any]:
    """What went wrong in pieces, so that it can be said in any language."""
    cause = error.__cause__ or error
    line = cause.lineno if isinstance(cause, SyntaxError) else None
    for frame in traceback.extract_tb(cause.__traceback__):
        line = frame.lineno if frame.filename == "<counter>" else line
    if isinstance(cause, MemoryError):
        reason = "memory"
    detail = cause.msg if isinstance(cause, SyntaxError) else str(cause)
    return {
        "reason": reason, "step": step, "kind": type(cause).__name__, "line": line, "detail": detail[:300],
        "message": str(error)[:600],
    }  # fmt: skip


def measure(text: str, horizon: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """What to say and the matrices, which are missing where something is wrong."""
    try:
        name = find_class(text)
        if name is None:
            return {"reason": "class"}, {}
        found = measure_counter(load_counter(text + "\n", name), horizon, name)
    except CounterError as error:
        return tell(error, error.reason, error.step), {}
    except (Exception, SystemExit) as error:
        return tell(error, "error", None), {}
    said = {"name": found.name, "claimed": found.claimed, "measured": found.measured}
    return said, {"encoder": found.encoder, "decoder": found.decoder, "starts": found.starts}


def main(text: str, horizon: str, result: str, seconds: str) -> None:
    """Measure the class of the file `text`."""
    limit(int(seconds))
    said, arrays = measure(Path(text).read_text(encoding="utf-8"), int(horizon))
    np.savez(result, said=np.array(json.dumps(said)), **arrays)


if __name__ == "__main__":
    main(*sys.argv[1:])
