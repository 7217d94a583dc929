"""All auditors by name, as pages and terminal call them."""

from __future__ import annotations

from .mechanisms import Greedy, Mechanism, RandomisedResponse, Rota, Tca, Uniform
from .parameters import Parameters

MECHANISMS = ("tca", "rr", "greedy", "uniform", "rota")
"""The auditors shown, in this order."""
NAMES = ("tca", "rr", "rr-horizon-free", "rr-race", "greedy", "uniform", "rota")
"""All names that `make_mechanism` takes."""


def make_mechanism(name: str, parameters: Parameters) -> Mechanism:
    """The mechanism called `name` (one of `NAMES`) in a scenario; `rr` follows the scenario's calibration."""
    p = parameters
    if name == "tca":
        return Tca(p.targets, p.horizon, p.delta)
    if name == "rr":
        return RandomisedResponse(p.targets, p.horizon, p.delta, p.rr_calibration)
    if name in ("rr-horizon-free", "rr-race"):
        return RandomisedResponse(p.targets, p.horizon, p.delta, name.removeprefix("rr-"))
    if name == "greedy":
        return Greedy(p.targets)
    if name == "uniform":
        return Uniform(p.targets)
    if name == "rota":
        return Rota(p.targets)
    raise ValueError(f"mechanism must be one of {', '.join(NAMES)}, got {name!r}")
