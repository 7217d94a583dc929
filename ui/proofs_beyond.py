"""The arguments of what goes beyond the paper, with the values of the scenario put in."""

from __future__ import annotations

import numpy as np

from core import calibration
from core.fading import Fading, get_memory
from core.mechanisms import Tca
from core.parameters import Parameters
from ui.proofs import Argument, Step, tex
from ui.words import _, number


def damped(p: Parameters) -> Argument:
    """The fading tally keeps delta for ever."""
    fading = Fading(p.targets, p.delta)
    return Argument(
        _("Fading tally: one shift, once and for all"),
        (
            Step(
                _(
                    "Every organisation has one sum of its reports that fades by a fixed factor at each step and is "
                    "never reset. What the auditor uses of it is the sum plus noise. One report adds 1 to it at its "
                    "own step, then less and less, whatever is audited:"
                ),
                rf"1,\ \lambda,\ \lambda^2, \dots \qquad \lambda = 1 - 1/L = {tex(fading.damping)}, \quad "
                rf"L = {tex(get_memory(p.delta, p.targets))}",
            ),
            Step(
                _("However long the record gets, this shift is no longer than"),
                rf"\sqrt{{1 + \lambda^2 + \lambda^4 + \dots}} = 1/\sqrt{{1-\lambda^2}} = "
                rf"{tex(float(1.0 / np.sqrt(1.0 - fading.damping**2)))}",
            ),
            Step(
                _(
                    "Counted in standard deviations of the noise it is short: the whole release is one normal number "
                    "moved by"
                ),
                rf"\mu = \frac{{1/\sqrt{{1-\lambda^2}}}}{{\sigma}} = {tex(calibration.get_mu(p.delta))}, \qquad "
                rf"\sigma = {tex(fading.noise_scale)}",
            ),
            Step(
                _(
                    "No test tells two such normal numbers apart better than delta. All audits are computed from the "
                    "release, and what is computed from it tells no more than it does:"
                ),
                rf"2\,\Phi(\mu/2) - 1 = {tex(p.delta)}",
            ),
        ),
    )


def deadlines(p: Parameters) -> Argument:
    """A maximum audit interval keeps delta for ever, with less noise."""
    interval = 2 * p.targets
    tally = Tca(p.targets, p.horizon, p.delta, interval=interval)
    return Argument(
        _("Deadlines: a promise without an end"),
        (
            Step(
                _(
                    "Give organisation $c$ its first deadline at step $W - C + c$ and, after each audit, the next one "
                    "$W$ steps later. With one audit a step no two deadlines ever fall together, so each can be kept."
                ),
                rf"W = {number(interval)}, \quad C = {number(p.targets)}",
            ),
            Step(
                _("No count then lives longer than $W$ steps, and one report shifts what a count shows by at most"),
                rf"M_W = {tex(float(tally.noise_scale * calibration.get_mu(p.delta)))}",
            ),
            Step(
                _(
                    "Noise made for $W$ steps is enough, however long the record gets. That an audit is forced by its "
                    "date tells nothing: the date follows from the audits before it."
                ),
                rf"\sigma = M_W / \mu = {tex(tally.noise_scale)}",
            ),
        ),
    )
