"""The numbers of the dashboard from a terminal: `python -m core COMMAND ...` prints JSON (or CSV) on standard output.

Messages go to standard error; bad input ends with exit code 2 and one line that says what is allowed.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from .commands import Command, audit, basics, certify, counters, equity, evidence, league, sweep

COMMANDS: dict[str, Command] = {
    **basics.COMMANDS,
    **counters.COMMANDS,
    **equity.COMMANDS,
    **certify.COMMANDS,
    **audit.COMMANDS,
    **evidence.COMMANDS,
    **league.COMMANDS,
    **sweep.COMMANDS,
}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def _parser() -> _Parser:
    parser = _Parser(prog="python -m core", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    for name, command in COMMANDS.items():
        own = commands.add_parser(name, help=command.help, description=command.help)
        own.add_argument("--format", choices=("json", "csv"), default="json")
        command.arguments(own)
    return parser


def _flat(result: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in result.items():
        flat |= {f"{name}.{key}": part for key, part in value.items()} if isinstance(value, dict) else {name: value}
    return flat


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    parser = _parser()
    args = parser.parse_args(arguments)
    try:
        result = COMMANDS[args.command].run(args)
    except ValueError as error:
        print(f"{parser.prog} {args.command}: {error}", file=sys.stderr)
        return 2
    try:
        if args.format == "csv":
            rows = result if isinstance(result, list) else [_flat(result)]
            writer = csv.DictWriter(sys.stdout, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        else:
            json.dump(result, sys.stdout, indent=2)
            print()
        sys.stdout.flush()
    except BrokenPipeError:
        # the reader (head, less) has seen enough; closing quietly is what it expects
        sys.stderr.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
