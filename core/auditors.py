"""All auditors by name, as pages and terminal call them."""

from __future__ import annotations

from .fading import Fading
from .fading_alert import FadingAlert
from .mechanisms import Greedy, Mechanism, RandomisedResponse, Rota, Tca, Uniform, check_audits
from .parameters import Parameters
from .reduction import CounterAudit
from .tca_bank import TcaBank

MECHANISMS = ("tca", "rr", "greedy", "uniform", "rota")
"""The auditors shown, in this order; `fading` joins them where the reader wants it."""
NAMES = (
    "tca", "rr", "rr-horizon-free", "rr-race", "greedy", "uniform", "rota", "tca-interval", "tca-bank", "fading",
    "fading-alert",
)  # fmt: skip
"""All names that `make_mechanism` takes."""


def make_mechanism(
    name: str, parameters: Parameters, interval: int | None = None, audits: int = 1, counter: str = "toeplitz"
) -> Mechanism:
    """The mechanism called `name` (one of `NAMES`) in a scenario; `rr` follows the scenario's calibration.

    Args:
        interval: longest time between two audits of a target in steps, of `tca-interval` alone; 2 C where None.
        audits: targets audited at each step, 1 .. C - 1; randomised response knows one only.
        counter: one of `core.counter_kinds.KINDS`, of `tca` alone.

    Raises:
        ValueError: an unknown name, or an option that does not belong to it.
    """
    p = parameters
    if interval is not None and name != "tca-interval":
        raise ValueError(f"interval belongs to tca-interval alone, not to {name}")
    if counter != "toeplitz":
        if name != "tca" or audits != 1:
            raise ValueError(f"counter {counter} goes with tca and one audit a step, not with {name} and {audits}")
        return CounterAudit(p.targets, p.horizon, p.delta, counter)
    if name in ("rr", "rr-horizon-free", "rr-race"):
        if audits != 1:
            raise ValueError(f"{name} is calibrated for one audit a step, got {audits}")
        rule = p.rr_calibration if name == "rr" else name.removeprefix("rr-")
        return RandomisedResponse(p.targets, p.horizon, p.delta, rule)
    check_audits(audits, p.targets)
    if name == "tca":
        return Tca(p.targets, p.horizon, p.delta, audits=audits)
    if name == "tca-interval":
        return Tca(p.targets, p.horizon, p.delta, interval=interval or 2 * p.targets, audits=audits)
    if name == "greedy":
        return Greedy(p.targets, audits)
    if name == "uniform":
        return Uniform(p.targets, audits)
    if name == "rota":
        return Rota(p.targets, audits)
    if name == "fading":
        return Fading(p.targets, p.delta, audits=audits)
    if name == "fading-alert":
        return FadingAlert(p.targets, p.delta, audits=audits)
    if name == "tca-bank":
        return TcaBank(p.targets, p.delta, audits=audits)
    raise ValueError(f"mechanism must be one of {', '.join(NAMES)}, got {name!r}")
