"""The pages, in the order of the navigation."""

from __future__ import annotations

from dataclasses import dataclass

from ui.words import N_


@dataclass(frozen=True)
class Page:
    """One row of the navigation.

    Attributes:
        id: its name in the URL; differs from the file's own slug, else Streamlit runs the file without the frame.
        file: path from the repository's root.
        title: short, for the navigation.
        question: the heading.
    """

    id: str
    file: str
    title: str
    question: str
    icon: str


PAGES: tuple[Page, ...] = (
    Page("start", "pages/1_Start.py", N_("Start"), N_("Can they work out that you blew the whistle?"), "home"),
    Page("records", "pages/2_Records.py", N_("Audit records"), N_("Same reports, four auditors"), "view_timeline"),
    Page("lead", "pages/3_Lead.py", N_("Lead"), N_("How large must the lead be?"), "leaderboard"),
    Page("long-run", "pages/4_Long_run.py", N_("Long run"), N_("Who misses fewer reports over time?"), "timeline"),
    Page("adversary", "pages/5_Adversary.py", N_("Adversary"), N_("What can the organisation find out?"), "visibility"),
    Page("plan", "pages/7_Plan.py", N_("Plan"), N_("Which budget fits your reporting channel?"), "tune"),
    Page("learn", "pages/8_Learn.py", N_("Learn"), N_("Can you guess it before you see it?"), "school"),
    Page("claims", "pages/9_Claims.py", N_("Claims"), N_("Is every number here checked?"), "fact_check"),
    Page("about", "pages/6_About.py", N_("About"), N_("What is promised, and what is not?"), "info"),
)  # fmt: skip
