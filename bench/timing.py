"""Timing helpers: the best of several repeats, and the memory of a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable


def best_time(work: Callable[[], object], repeats: int = 5) -> float:
    """Seconds of the fastest of `repeats` calls: what the work costs when nothing else disturbs it."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def peak_memory(code: str) -> float:
    """Peak resident memory, in MB, of a fresh interpreter that runs `code`."""
    # getrusage would report the parent's peak, which survives the fork
    report = (
        "\nprint(next(int(line.split()[1]) for line in open('/proc/self/status') if line.startswith('VmHWM')) / 1024)"
    )
    done = subprocess.run([sys.executable, "-c", code + report], capture_output=True, text=True, check=True)
    return float(done.stdout)


def show(name: str, ratio: float, limit: float, unit: str = "") -> None:
    """Print one line: the figure, its limit, and whether it holds."""
    word = "ok  " if ratio <= limit else "OVER"
    print(f"{word} {name}: {ratio:.2f}{unit} (limit {limit:g}{unit})", flush=True)


def show_least(name: str, figure: float, least: float) -> None:
    """Print one line for a figure that should be at least `least`."""
    print(f"{'ok  ' if figure >= least else 'LESS'} {name}: {figure:.1f} (at least {least:g})", flush=True)
