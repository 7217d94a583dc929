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
        section: title of the menu it stands in, empty for the pages that are always in view.
    """

    id: str
    file: str
    title: str
    question: str
    icon: str
    section: str = ""


BEYOND, NEIGHBOURS, PROOF = N_("Beyond the paper"), N_("Neighbours"), N_("Proof")
"""Menus of the navigation."""

PAGES: tuple[Page, ...] = (
    Page("start", "pages/1_Start.py", N_("Start"), N_("Can they work out that you blew the whistle?"), "home"),
    Page("records", "pages/2_Records.py", N_("Audit records"), N_("Same reports, different auditors"), "view_timeline"),
    Page("lead", "pages/3_Lead.py", N_("Lead"), N_("How large must the lead be?"), "leaderboard"),
    Page("long-run", "pages/4_Long_run.py", N_("Long run"), N_("Who misses fewer reports over time?"), "timeline"),
    Page("adversary", "pages/5_Adversary.py", N_("Adversary"), N_("What can the organisation find out?"), "visibility"),
    Page("plan", "pages/7_Plan.py", N_("Plan"), N_("Which budget fits your reporting channel?"), "tune"),
    Page("own-data", "pages/16_Own_data.py", N_("Own data"), N_("What do your own reports show?"), "upload_file"),
    Page("learn", "pages/8_Learn.py", N_("Learn"), N_("Can you guess it before you see it?"), "school"),
    Page("fading", "pages/10_Fading.py", N_("Fading tally"),
         N_("Can a better tally miss fewer reports?"), "trending_down", BEYOND),
    Page("counters", "pages/11_Counters.py", N_("Counter lab"),
         N_("What if the noisy count were made differently?"), "calculate", BEYOND),
    Page("audit", "pages/13_Audit.py", N_("Privacy audit"),
         N_("Would an auditor that leaks too much be caught?"), "policy", NEIGHBOURS),
    Page("exposure", "pages/14_Exposure.py", N_("Exposure"), N_("Who bears the exposure?"), "balance", NEIGHBOURS),
    Page("statements", "pages/15_Statements.py", N_("Statements"),
         N_("What may be said in public?"), "campaign", NEIGHBOURS),
    Page("evidence", "pages/12_Evidence.py", N_("Evidence"),
         N_("Does the paper hold when it is computed again?"), "science", PROOF),
    Page("claims", "pages/9_Claims.py", N_("Claims"), N_("Is every number here checked?"), "fact_check", PROOF),
    Page("about", "pages/6_About.py", N_("About"), N_("What is promised, and what is not?"), "info", PROOF),
)  # fmt: skip
"""The pages, in the order of the navigation."""
