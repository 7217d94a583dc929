"""What is promised, and what is not?"""

import sys
from importlib.metadata import version

import streamlit as st

from core import calibration
from core.counters import get_sensitivity
from ui import frame, marks, state
from ui.words import N_, _, number, percent

PAPER = "https://arxiv.org/abs/2607.13928"

NOT_PROMISED = (
    N_(
        "**More than one report.** Every report about the same organisation uses up the budget again: {reports} "
        "reports change the chance of an audit record by up to {more} percentage points."
    ),
    N_(
        "**The auditor itself.** It knows every report and is trusted to keep them secret. A leaked log file, an "
        "e-mail with a name on it or a talkative office undoes everything shown here."
    ),
    N_(
        "**What was known before.** If only one person could have known, the organisation suspects that person "
        "without any audit. The audit record adds little to the suspicion; it does not take it away."
    ),
    N_(
        "**What an audit reveals while it takes place.** The questions asked, the rooms visited and how narrow the "
        "audit is may point to a source. Only the choice of the organisation is protected."
    ),
    N_(
        "**Audits beyond the number covered.** The promise of this page holds for {horizon} audits together, and for "
        "any part of them. After that the noise has to be set anew."
    ),
    N_("**Real data.** Reports here are drawn at random. The paper had no data of a real auditor either."),
    N_("**A published seed.** Whoever knows the seed can replay the noise. Seeds here are for demonstrations only."),
)

PROMISED = (
    N_(
        "One report changes the chance of any audit record, and so of whatever may be read from it, by at most "
        "{points} percentage points."
    ),
    N_(
        "Whoever must guess from all {horizon} audits whether you reported is right at most {success} of the time "
        "where a coin is right {even} of the time. This holds for any computing power and any knowledge of the other "
        "reports."
    ),
    N_("It holds at every moment on the way, not only at the end, and even if reports react to audits."),
    N_("The same promise in other words: nobody can steer an audit with a single invented report."),
)

MODEL = (
    N_("There are {targets} organisations. At each step new reports arrive; then exactly one organisation is audited."),
    N_(
        "The auditor counts the open reports of each organisation: those since its last audit. An audit settles them "
        "and the count starts afresh."
    ),
    N_("The organisations see who is audited at each step, the audit record, and nothing else. They know the method."),
    N_(
        "The noisy tally adds a random number to every count before the largest is picked. The random numbers of "
        "neighbouring steps belong together in a way that keeps the noise small: it grows only with the square root "
        "of the logarithm of the number of audits."
    ),
    N_(
        "Missed reports tell how good a choice was: the open reports of the most-reported organisation minus those of "
        "the one that was audited."
    ),
)

GLOSSARY = (
    (N_("Deniability budget (delta)"), N_("The most by which one report may change the chance of any audit record.")),
    (N_("Audit record (transcript)"), N_("Which organisation was audited at each step: all that outsiders see.")),
    (N_("Open reports (active count)"), N_("Reports about an organisation since its last audit.")),
    (
        N_("Missed reports (deficit)"),
        N_("Open reports of the worst organisation minus those of the one audited. Small is good."),
    ),
    (N_("Lead (gap)"), N_("How many more open reports the worst organisation has than the others.")),
    (N_("Number of audits covered (horizon, T)"), N_("For how many audits together the promise holds.")),
    (N_("Detection"), N_("The share of those who reported whom a test of the organisation points at.")),
    (N_("False alarm"), N_("The share of those who did not report whom the same test points at.")),
    (N_("Suspicion"), N_("The probability that you reported, for somebody who has seen the audit record.")),
    (N_("Plausible deniability"), N_("What was seen would have been nearly as likely had you not reported.")),
)


def bullets(texts: tuple[str, ...], **values: str) -> None:
    """Translated points with the live numbers put in."""
    st.markdown("\n".join(f"- {_(text).format(**values)}" for text in texts))


p = state.current()
frame.toolbar("about")
words = {
    "targets": number(p.targets),
    "horizon": number(p.horizon),
    "points": number(100 * p.delta),
    "success": percent(0.5 + p.delta / 2),
    "even": percent(0.5),
    "reports": number(3),
    "more": number(min(100.0, 300 * p.delta)),
}
frame.sentence(
    _(
        "The list of audits hardly tells who reported: at a budget of **{delta}** one report changes the chance of "
        "any list by at most **{points}** percentage points. It promises nothing else."
    ).format(delta=number(p.delta), points=words["points"])
)
left, right = st.columns(2, gap="large")
with left:
    st.header(_("What is not promised"), anchor=False)
    bullets(NOT_PROMISED, **words)
with right:
    st.header(_("What is promised"), anchor=False)
    bullets(PROMISED, **words)
    st.header(_("The model in plain words"), anchor=False)
    bullets(MODEL, **words)

st.header(_("The auditors"), anchor=False)
rows = ["| " + " | ".join([_("Name"), _("What it does"), _("What it promises")]) + " |", "|---|---|---|"]
promises = {
    "tca": _("delta {delta} over {horizon} audits (Proposition 3 and section 6)").format(
        delta=number(p.delta), horizon=words["horizon"]
    ),
    "rr": _("delta {delta}, but nearly no use of the reports (Theorem 2)").format(delta=number(p.delta)),
    "greedy": _("nothing: one report can decide who is audited"),
    "uniform": _("delta 0: the reports are never used"),
    "rota": _("delta 0: the reports are never used"),
}
rows += [
    f"| {marks.MARKS[name].glyph} {marks.full(name)} | {marks.line(name)} | {promises[name]} |" for name in promises
]
st.markdown("\n".join(rows))

st.header(_("The model in symbols"), anchor=False)
st.markdown(
    _(
        "$r_{{t,c}}$ reports about organisation $c$ arrive at step $t$; $\\tau_c$ is its last audit before $t$. The "
        "noisy tally audits the largest noisy count $\\tilde n_{{t,c}}$. Its normal random numbers $z$ start afresh "
        "with the count."
    ).format()
)
sensitivity, kappa = get_sensitivity(p.horizon), calibration.get_kappa(p.delta)
noise = calibration.get_noise_scale(p.delta, p.horizon)
with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    for formula in (
        r"n_{t,c}=\sum_{s=\tau_c+1}^{t} r_{s,c}",
        r"\tilde n_{t,c}=n_{t,c}+\sum_{s=\tau_c+1}^{t} f_{t-s}\,z_{s,c}",
        r"f_k=\binom{2k}{k}4^{-k},\quad z\sim\mathcal N(0,\sigma^2)",
        r"\sigma=\frac{M_T}{2\,\Phi^{-1}\!\left(\frac{1+\delta}{2}\right)},\quad M_T^2=\sum_{k=0}^{T-1} f_k^2",
        rf"\sigma=\frac{{{sensitivity:.4g}}}{{2\times {kappa:.4g}}}={noise:.4g}",
    ):
        st.latex(formula, width="content")
frame.how_computed(
    _(
        "The largest column of the encoder has length $M_T$, so one report moves the counter's encoded input by at "
        "most $M_T$. Normal noise of standard deviation $\\sigma$ hides that up to a total variation of "
        "$2\\,\\Phi(M_T/2\\sigma)-1=\\delta$ (section 6 of the paper). Picking the largest count is done on the noisy "
        "counts alone, and what is computed from them cannot tell more than they do (Proposition 3)."
    ),
    f"python -m core calibrate --targets {p.targets} --horizon {p.horizon} --delta {p.delta:g}",
)

st.header(_("Words"), anchor=False)
entries = (_("**{label}**: {value}").format(label=_(term), value=_(meaning)) for term, meaning in GLOSSARY)
st.markdown("\n".join(f"- {entry}" for entry in entries))

st.header(_("Sources"), anchor=False)
st.markdown(
    _(
        "The noisy tally, its promise and the two experiments: Leo Richter and Matt J. Kusner, *Plausible Deniability "
        "Guarantees for Whistleblowers*, [arXiv 2607.13928]({paper}). The fixed rota, the union bound over the lead "
        "and the bounds for several reports are additions of this laboratory and say so where they appear."
    ).format(paper=PAPER)
)
st.caption(
    _(
        "Python {python}, NumPy {numpy}, SciPy {scipy}, Streamlit {streamlit}. MIT licence. No data leave your machine."
    ).format(
        python=sys.version.split()[0], numpy=version("numpy"), scipy=version("scipy"), streamlit=version("streamlit")
    )
)
