"""Run all benchmarks."""

from . import core, server

core.main()
server.main()
