"""Your own attack on any mechanism: a confusion table, or two columns of scores."""

from __future__ import annotations

import streamlit as st

from core.audit import Audit, Claim, audit_scores, run_toy
from core.calibration import get_delta
from core.parameters import Parameters
from core.seeds import get_generator
from ui import frame, state
from ui.audit import files, report, work
from ui.audit.files import COUNTS, MOST, File, RefusedError
from ui.audit.foot import TABLE
from ui.audit.names import Look
from ui.audit.one import ALPHAS
from ui.charts.audit import Drawn
from ui.controls import choice
from ui.words import N_, _, number, percent

LOOK = Look("#c2417f", "star", "★")
EXAMPLE_RUNS, EXAMPLE_MU = 4000, 0.45
UNIT = 10_000
"""Claims are kept in the link as whole ten-thousandths."""
_EXAMPLES = {"nothing": N_("scores that know nothing"), "toy": N_("scores of an attack with mu 0.45")}


def show(p: Parameters) -> None:
    """The view."""
    left, right = st.columns([3, 2], gap="large")
    with right:
        words = st.container()
        ways = {"table": _("counts"), "scores": _("scores")}
        way = choice("audit_way", _("What you have"), ways, "table")
        source = st.container()
        claim, option = _ask_claim()
        shares = {key: percent(share) for key, share in ALPHAS.items()}
        alpha = ALPHAS[choice("audit_alpha", _("False accusations, at most"), shares, "10")]
    with source:
        audit, curve = _from_table(claim, alpha) if way == "table" else _from_scores(claim, alpha, p.seed)
    if audit is None:
        left.info(
            _("Nothing to judge yet: each world needs at least one run, or a column of at least two scores."),
            icon=":material/info:",
        )
        return
    with left:
        report.picture(Drawn(_("your attack"), LOOK, audit, curve), "audit-own")
    with words:
        frame.sentence(report.headline(audit), key="own")
        st.markdown(report.meaning(audit))
    one, two = st.columns(2, gap="large")
    one.markdown(report.markdown_of_numbers(audit))
    two.markdown(report.markdown_of_table(audit))
    frame.what_to_notice(
        [
            _(
                "Any attack will do, on any mechanism: repeat it many times with the report (or person, or record) and "
                "many times without, each time from fresh noise."
            ),
            _(
                "Choose the threshold on other runs than those you count. With scores this is done here: a random half "
                "chooses, the other half is judged."
            ),
            _(
                "Scores that know nothing, and attacks that are wrong more often than right, give mu at least 0: they "
                "prove nothing, in either direction."
            ),
        ]
    )
    counts = f"{audit.tp},{audit.fn},{audit.fp},{audit.tn}"
    frame.how_computed(report.method(audit), f"python -m core audit --table {counts}{option} --alpha {alpha:g}")


def _ask_claim() -> tuple[Claim, str]:
    """What is promised, and the terminal's words for it."""
    kinds = {"mu": _("Gaussian, mu"), "delta": _("delta alone"), "none": _("nothing")}
    kind = choice(
        "audit_promise", _("What is promised"), kinds, "mu",
        help=_("A promise (epsilon, delta) can be converted into mu in the last view of this page."),
    )  # fmt: skip
    if kind == "mu":
        mu = _share("audit_mu", _("Promised mu"), 4500, 100_000)
        return Claim(get_delta(mu), mu), f" --mu {mu:g}"
    if kind == "delta":
        delta = _share("audit_delta", _("Promised delta"), 1000, UNIT - 1)
        return Claim(delta), f" --delta {delta:g}"
    return Claim(), ""


def _share(key: str, name: str, default: int, most: int) -> float:
    widget = f"w_{key}"

    def commit() -> None:
        state.set_int(key, round(st.session_state[widget] * UNIT))

    value = state.get_int(key, default, 1, most) / UNIT
    state.show(widget, value)
    st.number_input(name, 1 / UNIT, most / UNIT, step=0.01, format="%.4f", key=widget, on_change=commit)
    return value


# --- counts ----------------------------------------------------------------------------------------------------------
def _from_table(claim: Claim, alpha: float) -> tuple[Audit | None, None]:
    titles = {
        "tp": _("TP: with the report, alarm"), "fn": _("FN: with the report, none"),
        "fp": _("FP: without it, alarm"), "tn": _("TN: without it, none"),
    }  # fmt: skip
    columns = st.columns(2)
    tp, fn, fp, tn = (
        _count(columns[i % 2], name, titles[name], default)
        for i, (name, default) in enumerate(zip(COUNTS, TABLE, strict=True))
    )
    if (tp, fn, fp, tn) == TABLE:
        st.caption(_("To begin with, the table of the note at the foot of the page. Type your own."))
    with st.expander(_("Or from a file"), icon=":material/upload:"):
        st.file_uploader(
            _("CSV with the columns TP, FN, FP, TN and one row"), type=["csv", "tsv", "txt"], key="audit_table_file",
            on_change=_table_uploaded, max_upload_size=1,
        )  # fmt: skip
        _tell_memory()
    _tell_refused("audit_table_refused", _("The numbers above are as they were."))
    if not (tp + fn and fp + tn):
        return None, None
    return Audit(tp, fn, fp, tn, alpha, claim), None


def _count(place: st.delta_generator.DeltaGenerator, name: str, title: str, default: int) -> int:
    key, widget = f"audit_{name}", f"w_audit_{name}"

    def commit() -> None:
        state.set_int(key, st.session_state[widget])

    value = state.get_int(key, default, 0, MOST)
    state.show(widget, value)
    place.number_input(title, 0, MOST, step=1, format="%d", key=widget, on_change=commit)
    return value


def _table_uploaded() -> None:
    file = st.session_state.get("audit_table_file")
    st.session_state.pop("audit_table_refused", None)
    if file is None:
        return
    try:
        counts = files.get_counts(files.read(file.name, file.getvalue()))
    except RefusedError as refused:
        st.session_state["audit_table_refused"] = str(refused)
        return
    for name, count in zip(COUNTS, counts, strict=True):
        state.set_int(f"audit_{name}", count)


# --- scores ----------------------------------------------------------------------------------------------------------
def _from_scores(claim: Claim, alpha: float, seed: int) -> tuple[Audit | None, tuple | None]:
    st.file_uploader(
        _("CSV with a column of scores for each world, {most} MB at most").format(
            most=number(files.LARGEST // 1_000_000)
        ),
        type=["csv", "tsv", "txt"], key="audit_file", on_change=_scores_uploaded,
        max_upload_size=files.LARGEST // 1_000_000,
    )  # fmt: skip
    _tell_memory()
    with st.container(horizontal=True):
        for name, title in _EXAMPLES.items():
            st.button(
                _("Try: {what}").format(what=_(title)), key=f"audit_example_{name}", on_click=_take_example,
                args=(name, seed),
            )  # fmt: skip
    own: File | None = st.session_state.get("audit_scores")
    kept = "" if own is None else _("The file {name} from before is still in use.").format(name=files.quote(own.name))
    _tell_refused("audit_refused", kept)
    file = own or make_example("toy", seed)
    columns = list(file.rows.columns)
    first, second = st.columns(2)
    with_ = first.selectbox(_("Scores with the report"), columns, key="audit_with", persist_state="session")
    without = second.selectbox(
        _("Scores without it"), columns, index=min(1, len(columns) - 1), key="audit_without", persist_state="session"
    )
    st.caption(
        _("In use: {name}, {rows} rows. A larger score means “reported”. Empty cells are left out.").format(
            name=files.quote(file.name), rows=number(len(file.rows))
        )
    )
    if own is not None:
        st.button(_("Remove the file"), key="audit_forget", icon=":material/delete:", on_click=_forget)
    else:
        frame.downloads("scores-example", file.rows)
    try:
        scores = files.get_scores(file, with_), files.get_scores(file, without)
    except RefusedError as refused:
        way_out = _("Choose other columns, or load another file.")
        st.error(f"{refused} {way_out}", icon=":material/error:")
        return None, None
    return audit_scores(*scores, claim, alpha, seed), work.get_curve(scores)


def _scores_uploaded() -> None:
    """Take the file in, or keep why not; an earlier one stays until another one is good."""
    file = st.session_state.get("audit_file")
    st.session_state.pop("audit_refused", None)
    if file is None:
        return
    try:
        _keep(files.read(file.name, file.getvalue()))
    except RefusedError as refused:
        st.session_state["audit_refused"] = str(refused)


def _keep(file: File) -> None:
    st.session_state["audit_scores"] = file
    for key in ("audit_with", "audit_without"):
        st.session_state.pop(key, None)


def _take_example(name: str, seed: int) -> None:
    st.session_state.pop("audit_refused", None)
    _keep(make_example(name, seed))


def make_example(name: str, seed: int) -> File:
    """An example as if it had been loaded; the toy stands in until there is a file."""
    return files.make_file(_(_EXAMPLES[name]), ("with", "without"), get_example(name, seed))


def get_example(name: str, seed: int) -> tuple:
    """Scores in both worlds, (EXAMPLE_RUNS,) each."""
    if name == "toy":
        return run_toy(EXAMPLE_MU, EXAMPLE_RUNS, seed)
    with_, without = get_generator(seed, "audit", 2).standard_normal((2, EXAMPLE_RUNS))
    return with_, without


def _forget() -> None:
    for key in ("audit_scores", "audit_refused", "audit_with", "audit_without"):
        st.session_state.pop(key, None)


def _tell_memory() -> None:
    st.caption(
        _(
            "The file stays in the memory of this session, is written nowhere, and is gone when you close the page. "
            "It is not part of the link."
        )
    )


def _tell_refused(key: str, kept: str) -> None:
    if key in st.session_state:
        st.error(f"{st.session_state[key]} {kept}", icon=":material/error:")
