"""The score of the game: the reader and the best attacker on the same records, and what the promise allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from core import calibration, deniability, game
from core.game import Answer, Round, Score
from core.utility import Share, get_share
from ui import frame, marks
from ui.charts import game as charts
from ui.words import _, number, percent

LEAST = 10
"""Rounds before the score is shown."""
HIDDEN = "hidden"
GRID = (1.0 - np.cos(np.linspace(0.0, np.pi, 101))) / 2.0


@dataclass(frozen=True)
class Said:
    """What the reader said about a round: `confidence` from 0.5 to 1."""

    reported: bool
    confidence: float


@dataclass(frozen=True)
class Rounds:
    """A set of rounds and what was said about them, by round number; `auditor` is a mechanism or `HIDDEN`."""

    auditor: str
    delta: float
    seed: int
    said: dict[int, Said]

    def get(self, number: int) -> Round:
        """Round `number`, from 1."""
        return game.make_round(number, self.delta, self.seed, None if self.auditor == HIDDEN else self.auditor)

    def played(self) -> list[Round]:
        """The answered rounds, in order."""
        return [self.get(number) for number in sorted(self.said)]

    def answers(self) -> list[Answer]:
        """The reader's answers, in order."""
        said = ((self.said[one.number], one.reported) for one in self.played())
        return [Answer(one.reported, truth, one.confidence) for one, truth in said]

    def best(self) -> list[Answer]:
        """What the best attacker says about the same rounds."""
        return [game.get_best_answer(one, self.delta, self.seed) for one in self.played()]

    @property
    def promise(self) -> float | None:
        """The delta that holds for every round; None where an auditor takes part that promises nothing."""
        names = game.NAMES if self.auditor == HIDDEN else (self.auditor,)
        promises = [game.make_game_mechanism(name, self.delta).guarantee() for name in names]
        return max(one.delta for one in promises) if all(one.holds for one in promises) else None


def get_right(answers: Sequence[Answer]) -> Share:
    """Share of right answers with its interval."""
    return get_share(sum(one.said == one.reported for one in answers), len(answers))


def show(rounds: Rounds) -> None:
    """Score, pictures and download, once there are enough answers."""
    if len(rounds.said) >= LEAST:
        st.header(_("Your score"), anchor=False)
        answers = rounds.answers()
        mine = game.score(answers)
        if mine is None:
            st.markdown(_("So far all records were of one kind. Play on: the score needs both."))
        else:
            with st.spinner(_("Working out what the best attacker would have said …")):
                best_answers = rounds.best()
            best = game.score(best_answers)
            assert best is not None
            _sentences(rounds, answers, mine, best_answers, best.confidence)
            _pictures(rounds, answers, mine, best)
            if rounds.auditor == HIDDEN:
                _by_auditor(rounds, answers, best_answers)
        frame.downloads("game-rounds", lambda: table(rounds))
    _notice(rounds)
    _computed(rounds)


def _sentences(rounds: Rounds, answers: list[Answer], mine: Score, best: list[Answer], expected: float) -> None:
    right = get_right(answers)
    values = {"rounds": number(len(answers)), "right": percent(right.share), "best": percent(get_right(best).share)}
    if rounds.promise is None:
        text = _(
            "After {rounds} rounds you were right **{right}** of the time; the best attacker on the same records: "
            "**{best}**. Follow the reports promises nothing, so there is no limit."
        )
    else:
        values["most"] = percent(float(deniability.get_success(rounds.promise, 0.5)))
        text = _(
            "After {rounds} rounds you were right **{right}** of the time; the best attacker on the same records: "
            "**{best}**. In the long run nobody gets above **{most}**."
        )
    frame.sentence(text.format(**values), key="score")
    rates = mine.rates
    st.markdown(
        _(
            "You caught {caught} of {filed} reports and suspected {alarms} of {quiet} records without one: an "
            "advantage of {points} percentage points (95% interval {low} to {high})."
        ).format(
            caught=number(round(rates.tpr.share * rates.tpr.runs)),
            filed=number(rates.tpr.runs),
            alarms=number(round(rates.fpr.share * rates.fpr.runs)),
            quiet=number(rates.fpr.runs),
            points=number(100 * rates.advantage),
            low=number(100 * rates.low),
            high=number(100 * rates.high),
        )
        + " "
        + verdict(mine, rounds.promise)
    )
    st.markdown(
        _("You said you were {sure} sure on average and were right {right} of the time.").format(
            sure=percent(mine.confidence), right=percent(right.share)
        )
        + " "
        + self_knowledge(mine.confidence, right)
        + " "
        + _("The best attacker expected {expected} on these records; the difference is luck.").format(
            expected=percent(expected)
        )
    )


def verdict(mine: Score, promise: float | None) -> str:
    """Whether chance explains the advantage, and whether it breaks the promise."""
    rates = mine.rates
    if promise is not None and rates.low > promise:
        return _("That is more than the promise allows in the long run: luck, as in one set out of forty.")
    if rates.low > 0:
        return _("That is better than guessing.")
    if rates.high < 0:
        return _("That is worse than guessing: saying the opposite would have been better.")
    return _("So few rounds cannot tell you from someone who guesses.")


def self_knowledge(sure: float, right: Share) -> str:
    """Whether the reader knows how much the reader knows."""
    if sure > right.high:
        return _("You were surer than you could be.")
    if sure < right.low:
        return _("You knew more than you thought.")
    return _("As far as so few rounds can tell, that fits.")


def _pictures(rounds: Rounds, answers: list[Answer], mine: Score, best: Score) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(_("Where you stand"), anchor=False)
        mu = calibration.get_mu(rounds.delta)
        frame.chart(
            charts.make_plane(
                GRID,
                deniability.get_tpr_delta_line(GRID, rounds.delta),
                deniability.get_tpr_gaussian(GRID, mu) if rounds.auditor in ("tca", HIDDEN) else None,
                mine.rates,
                best.rates,
            ),
            key="game_plane",
            alt=_(
                "Square of false alarms against detections: your false alarms {fpr}, your detections {tpr}; the best "
                "attacker's {best_fpr} and {best_tpr}."
            ).format(
                fpr=percent(mine.rates.fpr.share),
                tpr=percent(mine.rates.tpr.share),
                best_fpr=percent(best.rates.fpr.share),
                best_tpr=percent(best.rates.tpr.share),
            ),
            table=lambda: pd.DataFrame([_row("you", mine), _row("best_attacker", best)]),
            name="game-rates",
            title=_("Where you stand"),
            axes=_(
                "Across: records without the report that were suspected. Up: reports that were caught. Crosses: 95% "
                "intervals."
            ),
        )
    levels = by_confidence(answers)
    with right:
        st.subheader(_("How well you know what you know"), anchor=False)
        frame.chart(
            charts.make_confidence([level for level, _share in levels], [share for _level, share in levels]),
            key="game_confidence",
            alt=_("Share of right answers at each confidence, with intervals; on the diagonal the two are equal."),
            table=lambda: pd.DataFrame(
                [
                    {"confidence": level, "rounds": one.runs, "right": one.share, "low": one.low, "high": one.high}
                    for level, one in levels
                ]
            ),
            name="game-confidence",
            title=_("How well you know what you know"),
            axes=_("Across: how sure you said you were. Up: how often you were right, with its 95% interval."),
        )


def _row(who: str, result: Score) -> dict[str, str | float]:
    rates = result.rates
    return {
        "who": who,
        "detections": rates.tpr.share, "detections_low": rates.tpr.low, "detections_high": rates.tpr.high,
        "reports": rates.tpr.runs,
        "false_alarms": rates.fpr.share, "false_alarms_low": rates.fpr.low, "false_alarms_high": rates.fpr.high,
        "records_without": rates.fpr.runs,
        "advantage": rates.advantage, "advantage_low": rates.low, "advantage_high": rates.high,
        "right": result.right, "confidence": result.confidence,
    }  # fmt: skip


def by_confidence(answers: Sequence[Answer]) -> list[tuple[float, Share]]:
    """Share of right answers at each confidence that was used, lowest first."""
    used = sorted({one.confidence for one in answers})
    return [(level, get_right([one for one in answers if one.confidence == level])) for level in used]


def _by_auditor(rounds: Rounds, answers: list[Answer], best: list[Answer]) -> None:
    """Which auditors gave themselves away."""
    columns = [_("Auditor"), _("Rounds"), _("You were right"), _("Best attacker was right"), _("Promise")]
    rows = []
    played = rounds.played()
    for name in game.NAMES:
        of = [i for i, one in enumerate(played) if one.mechanism == name]
        if not of:
            continue
        promise = game.make_game_mechanism(name, rounds.delta).guarantee()
        most = _("at most {share}").format(share=percent(float(deniability.get_success(promise.delta, 0.5))))
        rights = [percent(get_right([said[i] for i in of]).share) for said in (answers, best)]
        rows.append([marks.full(name), number(len(of)), *rights, most if promise.holds else _("none")])
    st.table(pd.DataFrame(rows, columns=columns).set_index(columns[0]))


def table(rounds: Rounds) -> pd.DataFrame:
    """A row for each answered round."""
    best = rounds.best()
    return pd.DataFrame(
        [
            {
                "round": one.number,
                "mechanism": one.mechanism,
                "said": rounds.said[one.number].reported,
                "reported": one.reported,
                "confidence": rounds.said[one.number].confidence,
                "best_attacker_said": other.said,
                "best_attacker_confidence": other.confidence,
            }
            for one, other in zip(rounds.played(), best, strict=True)
        ]
    )


def _notice(rounds: Rounds) -> None:
    frame.what_to_notice(
        [
            _(
                "An audit of your organisation soon after step {step} proves little: with {targets} organisations "
                "you are audited again and again anyway."
            ).format(step=number(game.STEP), targets=number(game.TARGETS)),
            _(
                "The best attacker knows the auditor, delta and all reports but one, and can compute without limit. "
                "Compare with it, not with certainty."
            ),
            _(
                "Choose the auditor that follows the reports and show the reports by others: then the record gives "
                "people away."
            ),
        ]
    )


def _computed(rounds: Rounds) -> None:
    delta, mu = rounds.delta, calibration.get_mu(rounds.delta)
    lines = [
        _(
            "Each round tosses a fair coin: with one report more, or without it. Your score (with Newcombe's 95% "
            "interval), and the share p of right answers in the long run:"
        ),
        r"$$\mathrm{adv} = \mathrm{TPR} - \mathrm{FPR}, \qquad p = \tfrac{1}{2}(1 + \mathrm{adv})$$",
        _("Theorem 1 bounds it for every rule, for an auditor with this delta:"),
        rf"$$\mathrm{{adv}} \le \delta = {delta:g}, \qquad p \le "
        rf"{float(deniability.get_success(delta, 0.5)):.4g}, \qquad \mu = {mu:.4g}$$",
        _(
            "The best attacker says “reported” where the record is likelier with the report. For the coin flip, "
            "following the reports and drawing lots its likelihood ratio is exact. For the noisy tally it uses the "
            "time of the first audit of the suspected organisation, learnt from {runs} simulated runs in each world: "
            "a lower bound on the best attack, but little is left to learn after that audit, since then both worlds "
            "have the same state."
        ).format(runs=number(game.LEARNING_RUNS)),
    ]  # fmt: skip
    numbers = sorted(rounds.said) or list(range(1, LEAST + 1))
    name = "" if rounds.auditor == HIDDEN else f", {rounds.auditor!r}"
    frame.how_computed(
        "\n\n".join(lines),
        f'python -c "from core.game import *; d, s = {delta:g}, {rounds.seed}; '
        f'print(score([get_best_answer(make_round(n, d, s{name}), d, s) for n in {_ranges(numbers)}]))"',
    )


def _ranges(numbers: list[int]) -> str:
    """The round numbers as a short Python expression."""
    if numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"range({numbers[0]}, {numbers[-1] + 1})"
    return str(numbers)
