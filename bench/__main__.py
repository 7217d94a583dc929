"""Run all benchmarks, or those named: `python -m bench [core] [server] [browser]`."""

import sys

from . import browser, core, server

ALL = {"core": core, "server": server, "browser": browser}

for name in sys.argv[1:] or ALL:
    ALL[name].main()
