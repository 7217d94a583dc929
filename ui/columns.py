"""Words for the columns of tables: files keep the terminal's names, the screen shows the reader's."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from ui.words import N_, _

_WORDS = {
    "mechanism": N_("auditor"),
    "step": N_("step"),
    "target": N_("target, from 0"),
    "active": N_("open reports of the audited"),
    "leader_active": N_("open reports of the most reported"),
    "deficit": N_("missed reports"),
    "organisation": N_("organisation"),
    "open_reports": N_("open reports"),
    "noisy_count": N_("noisy count"),
    "audited": N_("audited"),
    "most_reported": N_("most reported"),
    "false_alarm": N_("false alarms"),
    "false_alarm_low": N_("false alarms, from"),
    "false_alarm_high": N_("false alarms, to"),
    "detection": N_("detections"),
    "detection_low": N_("detections, from"),
    "detection_high": N_("detections, to"),
    "detection_delta_line": N_("detections, delta line"),
    "detection_noisy_tally": N_("detections, noisy tally"),
    "suspicion_after_at_most": N_("suspicion after, at most"),
    "suspicion_at_least": N_("suspicion, at least"),
    "suspicion_at_most": N_("suspicion, at most"),
    "suspicion": N_("suspicion"),
    "advantage": N_("advantage"),
    "advantage_low": N_("advantage, from"),
    "advantage_high": N_("advantage, to"),
    "window": N_("window in audits"),
    "reports": N_("reports by one person"),
    "any": N_("any auditor with this delta"),
    "same": N_("noisy tally, one organisation"),
    "spread": N_("noisy tally, one organisation, spread"),
    "different": N_("noisy tally, different organisations"),
    "from": N_("from"),
    "to": N_("to"),
    "share": N_("share of the cases"),
    "factor": N_("times as likely"),
    "epsilon": N_("epsilon"),
    "rest": N_("rest that is not covered"),
    "pair": N_("pair"),
    "round": N_("round"),
    "said": N_("said"),
    "reported": N_("reported"),
    "confidence": N_("confidence"),
}


def configure(table: pd.DataFrame) -> dict[str, Any]:
    """Column settings of a table on the screen: words in the reader's language, three significant digits."""
    floats = set(table.select_dtypes("float").columns)
    settings: dict[str, Any] = {}
    for column in table.columns:
        words = _(_WORDS[column]) if column in _WORDS else column
        if column in floats:
            settings[column] = st.column_config.NumberColumn(words, format="%.3g")
        elif words != column:
            settings[column] = st.column_config.Column(words)
    return settings
