"""Finished results that outlive a rerun."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Store(Generic[T]):
    """Finished results of all sessions, the newest kept.

    Streamlit's own cache cannot hold a function that reports its progress into the page.
    """

    def __init__(self, largest: int) -> None:
        self.largest = largest
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable) -> T | None:
        """What was kept under `key`, if it still is."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: Hashable, value: T) -> T:
        """Keep `value`, forget the one unused for longest."""
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > self.largest:
                self._kept.popitem(last=False)
        return value
