"""Commands for a terminal that give a page's number of an own table, from the counts that the page Own data exports."""

from __future__ import annotations

import shlex

from ui.own import use
from ui.own.use import OwnParameters

FILE = "own-table.csv"
"""Name of the export."""


def wrap(code: str) -> str:
    """A line of Python as a command for a shell, as plain as its signs allow."""
    return f"python -c {shlex.quote(code)}" if set(code) & set('"$`\\!') else f'python -c "{code}"'


def command(p: OwnParameters, imports: str, result: str, report: tuple[int, int] | None = None) -> str:
    """Print `result`, an expression of the scenario `p` and its stream `s` (without `report`, see `use.get_stream`)."""
    steps, targets = p.table.counts.shape
    choice = f"Choice('step', 'target', 'count', {p.table.period!r}, {targets}, group=False)"
    less = ""
    if report and use.has_report(p, *report):
        less = f"t[{report[0] - 1}, {report[1]}] -= 1; "
    rule = f", rr_calibration={p.rr_calibration!r}"
    code = (
        "from core.auditors import make_mechanism; from core.parameters import Parameters; "
        "from core.streams import TableStream; from core.intake.tables import Choice, read_table; "
        f"{imports}; t = read_table(open({FILE!r}, 'rb').read(), {choice}).counts; {less}s = TableStream(t); "
        f"p = Parameters(delta={p.delta:g}, targets={targets}, horizon={steps}, run_length=1{rule}); print({result})"
    )
    return wrap(code)
