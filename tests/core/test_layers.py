"""The floors of the house: core knows no page, imports inside core run one way."""

import ast
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "core"
FLOORS = [
    {"parameters", "counters", "seeds", "closed_forms"},
    {"calibration", "streams", "bank", "enumeration"},
    {"mechanisms", "linear", "changing"},
    {"fading", "counter_kinds", "simulation", "faults", "traces"},
    {"fading_alert", "tca_bank", "reduction", "outright", "intake"},
    {"auditors"},
    {"utility", "deniability", "adversary", "unequal", "releases", "intervals"},
    {"attacks", "boundary", "planning", "league", "equity", "certificates", "gdp", "sweep"},
    {"audit", "game", "repeats", "rivals"},
    {"audit_runs", "claims"},
    {"comparisons", "standings"},
    {"experiments", "theory"},
    {"readings"},
    {"evidence"},
    {"plots"},
    {"commands"},
    {"__main__"},
]
MODULES = sorted(CORE.rglob("*.py"))


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (("", alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield "." * node.level, node.module
        elif isinstance(node, ast.ImportFrom):
            yield from (("." * node.level, alias.name) for alias in node.names)


def get_name(path):
    return path.stem if path.parent == CORE else path.parent.name


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_core_never_imports_a_user_interface(path):
    roots = {module.split(".")[0] for dots, module in imports(path) if not dots}
    assert not roots & {"streamlit", "plotly", "ui", "pages", "app"}


@pytest.mark.parametrize("path", [path for path in MODULES if path != CORE / "__init__.py"], ids=lambda path: path.stem)
def test_imports_run_downwards(path):
    floor = {name: height for height, names in enumerate(FLOORS) for name in names}
    assert get_name(path) in floor, "a new module needs its floor here"
    for dots, module in imports(path):
        inside = len(dots) == 1 and path.parent != CORE
        if dots and not inside:
            name = module.split(".")[0]
            assert floor[name] < floor[get_name(path)], f"{path.stem} imports {module}"
