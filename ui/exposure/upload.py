"""A table of predictions from the reader's computer: read in memory, never stored, never sent on."""

from __future__ import annotations

import io
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.equity import COLUMNS, GroupRates, get_group_rates
from core.intake.notices import TableError
from core.intake.sniffing import sniff
from ui.exposure.rates import LONGEST_NAME, MOST_GROUPS
from ui.exposure.says import bare
from ui.words import _, number

LARGEST = 5_000_000
MOST_PREDICTIONS = 200


@dataclass(frozen=True)
class Table:
    """A good table and the file's name."""

    name: str
    rows: pd.DataFrame
    predictions: tuple[str, ...]


class RefusedError(ValueError):
    """Why a file was not taken, in the reader's language."""


def read(name: str, data: bytes) -> Table:
    """The table in `data`.

    Raises:
        RefusedError: not a table, or one that lacks what is needed.
    """
    if len(data) > LARGEST:
        raise RefusedError(_("The file is too large. Allowed: {most} MB.").format(most=number(LARGEST // 1_000_000)))
    try:
        form = sniff(data, LARGEST)
        # read without names, since pandas would give a repeated one another number and so hide it
        cells = pd.read_csv(
            io.BytesIO(data), sep=form.separator, encoding=form.encoding, dtype=str, keep_default_na=False,
            skiprows=form.skip, skipinitialspace=True, header=None,
        )  # fmt: skip
    except (TableError, ValueError, LookupError):
        raise RefusedError(
            _("The file cannot be read as a table. Allowed: CSV, column names above, a row for each person.")
        ) from None
    rows = cells.iloc[1:].reset_index(drop=True).set_axis(cells.iloc[0].str.strip().str.lower(), axis=1)
    _check(rows)
    rows = rows.loc[:, list(COLUMNS)]
    predictions = sorted(set(rows["prediction"].str.strip()))
    if len(predictions) > MOST_PREDICTIONS:
        raise RefusedError(
            _(
                "The column prediction holds {count} different values. Allowed: at most {most}, such as yes and no."
            ).format(count=number(len(predictions)), most=number(MOST_PREDICTIONS))
        )
    # what remains to be refused is core's to know
    get_group_rates(rows, predictions[0])
    return Table(name, rows, tuple(predictions))


def _check(rows: pd.DataFrame) -> None:
    missing = [name for name in COLUMNS if name not in rows.columns]
    if missing:
        raise RefusedError(
            _("The table has no column named {missing}. Needed: {needed}, each once; others are ignored.").format(
                missing=", ".join(missing), needed=", ".join(COLUMNS)
            )
        )
    if not rows.loc[:, list(COLUMNS)].columns.is_unique:
        raise RefusedError(
            _("A column name appears twice. Needed: {needed}, each once.").format(needed=", ".join(COLUMNS))
        )
    if rows.empty:
        raise RefusedError(_("The table has no rows below the names."))
    for name in COLUMNS:
        empty = rows.index[rows[name].str.strip() == ""]
        if len(empty):
            raise RefusedError(
                _("The column {column} is empty in row {row}. Each of the four cells is needed in each row.").format(
                    column=name, row=number(int(empty[0]) + 1)
                )
            )
    split = rows["split"].str.strip().str.lower()
    for place, word in enumerate(split):
        if word not in ("train", "test"):
            raise RefusedError(
                _("The column split says {word} in row {row}. Allowed: train or test.").format(
                    word=bare(word[:LONGEST_NAME]), row=number(place + 1)
                )
            )
    groups = rows["group"].str.strip()
    if groups.nunique() > MOST_GROUPS:
        raise RefusedError(
            _("The table has {count} groups. Allowed: at most {most}.").format(
                count=number(int(groups.nunique())), most=number(MOST_GROUPS)
            )
        )
    for group in groups.unique():
        if set(split[groups == group]) != {"train", "test"}:
            raise RefusedError(
                _("The group {group} has rows of one split only. Needed: some of train and some of test.").format(
                    group=bare(str(group)[:LONGEST_NAME])
                )
            )


def _uploaded() -> None:
    """Take the file in, or keep why not; an earlier table stays until another one is good."""
    file = st.session_state.get("exposure_file")
    st.session_state.pop("exposure_refused", None)
    if file is None:
        return
    try:
        st.session_state["exposure_table"] = read(file.name, file.getvalue())
    except RefusedError as refused:
        st.session_state["exposure_refused"] = str(refused)
    except ValueError:
        st.session_state["exposure_refused"] = _("The table cannot be used. Needed: {needed}.").format(
            needed=", ".join(COLUMNS)
        )


def _forget() -> None:
    st.session_state.pop("exposure_table", None)


def ask() -> list[GroupRates]:
    """The uploader, and the rates of the table that is in; none where none is."""
    st.file_uploader(
        _("CSV file with the columns {columns}, at most {most} MB").format(
            columns=", ".join(COLUMNS), most=number(LARGEST // 1_000_000)
        ),
        type=["csv", "tsv", "txt"], key="exposure_file", on_change=_uploaded, max_upload_size=LARGEST // 1_000_000,
    )  # fmt: skip
    st.caption(
        _(
            "The table stays in the memory of this session, is written nowhere, and is gone when you close the page. "
            "It is not part of the link."
        )
    )
    refused = st.session_state.get("exposure_refused")
    table: Table | None = st.session_state.get("exposure_table")
    if refused:
        kept = (
            ""
            if table is None
            else " " + _("The table {name} from before is still in use.").format(name=bare(table.name))
        )
        st.error(refused + kept, icon=":material/error:")
    if table is None:
        return []
    with st.container(horizontal=True, vertical_alignment="bottom"):
        benefit = st.selectbox(
            _("Which prediction is the benefit?"), table.predictions, index=len(table.predictions) - 1,
            key="exposure_benefit", persist_state="session",
        )  # fmt: skip
        st.button(_("Remove the table"), key="exposure_forget", icon=":material/delete:", on_click=_forget)
    st.caption(_("In use: {name}, {rows} rows.").format(name=bare(table.name), rows=number(len(table.rows))))
    return get_group_rates(table.rows, benefit)
