"""The server: a rerun against an empty page's, what it sends, and many sessions at once."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from .core import fading_transcript, four_transcripts
from .timing import best_time, show

ROOT = Path(__file__).parents[1]
OPTIONS = ("--server.headless", "true", "--server.address", "127.0.0.1", "--server.fileWatcherType", "none")
EMPTY = "import streamlit as st\nst.slider('x', 0, 100, key='x')\n"
MOVES = 8


@contextlib.contextmanager
def serving(*command: str) -> Iterator[int]:
    """A server on a free port of this machine, stopped at the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, *command, "--server.port", str(port), *OPTIONS],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1)
                break
            time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait(10)


class Session:
    """One visitor of one page, who moves one slider."""

    def __init__(self, port: int, page: str, query: str, key: str) -> None:
        self._uri = f"ws://127.0.0.1:{port}/_stcore/stream"
        self._origin = f"http://127.0.0.1:{port}"
        self._page, self._query, self._key = page, query, key
        self._widget = ""
        self._options: list[str] = []
        self.payload = 0

    async def __aenter__(self) -> Session:
        self._socket = await websockets.connect(
            self._uri, subprotocols=["streamlit", "-"], max_size=None, origin=self._origin
        )
        await self.rerun(None)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._socket.close()

    async def rerun(self, value: float | None) -> float:
        """Send one rerun, the slider at stop number `value`, and wait for its end; returns seconds."""
        message = BackMsg()
        message.rerun_script.query_string = self._query
        message.rerun_script.page_name = self._page
        if value is not None:
            if not self._widget:
                raise RuntimeError(f"no slider {self._key!r} was seen on page {self._page!r}")
            widget = message.rerun_script.widget_states.widgets.add()
            widget.id = self._widget
            if self._options:
                widget.string_array_value.data.append(self._options[int(value)])
            else:
                widget.double_array_value.data.append(value)
        self.payload = 0
        start = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        while True:
            raw = await asyncio.wait_for(self._socket.recv(), 120)
            self.payload += len(raw)
            forward = ForwardMsg.FromString(raw)
            kind = forward.WhichOneof("type")
            if kind == "delta":
                element = forward.delta.new_element
                if element.WhichOneof("type") == "exception":
                    raise RuntimeError(element.exception.message)
                if element.WhichOneof("type") == "slider" and self._key in element.slider.id:
                    self._widget, self._options = element.slider.id, list(element.slider.options)
            if kind == "script_finished":
                return time.perf_counter() - start


async def rerun_time(port: int, page: str, key: str, stops: int) -> tuple[float, float, int]:
    """Median seconds of an uncached and of a cached rerun of one session, and the payload of a fresh visit in bytes."""
    async with Session(port, page, "", key) as session:
        first = session.payload
        order = random.Random(1).sample(range(stops), min(stops, MOVES))
        fresh = [await session.rerun(stop) for stop in order]
        again = [await session.rerun(stop) for stop in order]
        return statistics.median(fresh), statistics.median(again), first


async def crowd(port: int, page: str, key: str, stops: int, visitors: int) -> tuple[float, float]:
    """Median and 95th percentile of seconds a move, `visitors` sessions each moving a slider about once a second."""

    async def visit(number: int) -> list[float]:
        chance = random.Random(number)
        async with Session(port, page, "", key) as session:
            await asyncio.sleep(chance.random())
            times = []
            for _ in range(MOVES):
                times.append(await session.rerun(chance.randrange(stops)))
                await asyncio.sleep(max(0.0, chance.uniform(0.5, 1.5) - times[-1]))
            return times

    visits = await asyncio.gather(*(visit(number) for number in range(visitors)))
    times = sorted(time for visitor in visits for time in visitor)
    return statistics.median(times), times[int(0.95 * len(times))]


async def see_all(port: int, page: str, key: str, stops: int) -> None:
    """One visitor moves the slider through all its stops: afterwards every record is kept."""
    async with Session(port, page, "", key) as session:
        for stop in range(stops):
            await session.rerun(stop)


def main() -> None:
    """Print every figure."""
    with tempfile.TemporaryDirectory() as folder:
        empty_page = Path(folder) / "empty.py"
        empty_page.write_text(EMPTY)
        with serving("-m", "streamlit", "run", str(empty_page)) as port:
            empty, _, _ = asyncio.run(rerun_time(port, "", "x", 101))
    core = best_time(four_transcripts)
    show("one record of the fading tally against an empty page's rerun", best_time(fading_transcript) / empty, 5)
    with serving("lab.py", "serve") as port:
        fresh, again, payload = asyncio.run(rerun_time(port, "records", "w_delta", 79))
        budget = (3 * empty + core) / empty
        show("Audit records rerun, nothing cached, against an empty page's", fresh / empty, budget)
        show("Audit records rerun, all cached, against an empty page's", again / empty, budget)
        show("payload of a visit to Audit records", payload / 1000, 300, " kB")
        one, _ = asyncio.run(crowd(port, "records", "w_delta", 79, 1))
        many, _ = asyncio.run(crowd(port, "records", "w_delta", 79, 20))
        show("20 sessions against one, records made while they move, median", many / one, 3)
        asyncio.run(see_all(port, "records", "w_delta", 79))
        one, late = asyncio.run(crowd(port, "records", "w_delta", 79, 1))
        show("one session, 95th percentile against its median", late / one, 3)
        for visitors, limit in ((10, 2), (20, 3), (40, 6)):
            many, late = asyncio.run(crowd(port, "records", "w_delta", 79, visitors))
            show(f"{visitors} sessions against one, records kept, median", many / one, limit)
            show(f"{visitors} sessions against one, records kept, 95th percentile", late / one, 3 * limit)
    print(f"(empty page {1000 * empty:.0f} ms, core {1000 * core:.0f} ms, one session {1000 * one:.0f} ms)")
