"""Own data: the reader's own table of reports, read in the session, shown, and run on other pages."""

import streamlit as st

from core.intake.tables import ReportTable
from ui.frame import how_computed, sentence, toolbar, what_to_notice
from ui.own import choose, files, show
from ui.state import current

toolbar("own-data")

left, right = st.columns([3, 2], gap="large")
picture, words = left.container(), right.container()
with right:
    files.upload()
file, choice = files.get(), files.get_choice()
with picture:
    table = files.read(file, choice)
if isinstance(table, ReportTable):
    report = show.get_report(file, choice, table)
    with picture:
        show.picture(file, table, report)
    with words:
        sentence(show.sentence(file, table), key="own")
        show.buttons(file, choice, table, report)
        st.markdown(show.odds(table, current().delta))
    choose.ask(file)
    show.which_report(file, choice, table, report)
    show.notes(table)
    show.first_rows(file)
    show.exports(table)
    what_to_notice(show.points())
    st.caption(show.limits())
    how_computed(*show.formula(file, choice, table))
else:
    with picture:
        show.refused(table)
    choose.ask(file)
    show.first_rows(file)
    st.caption(show.limits())
