"""Run all benchmarks, or those named: `python -m bench [core] [server] [browser] [tables]`."""

import sys

from . import browser, core, server, tables

ALL = {"core": core, "server": server, "browser": browser, "tables": tables}

for name in sys.argv[1:] or ALL:
    ALL[name].main()
