"""The reader's file in the memory of the session: taken in, looked at, read; until then the synthetic example."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from functools import cache

import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.intake import examples
from core.intake.notices import TableError
from core.intake.sheets import Preview, preview
from core.intake.sniffing import LARGEST_FILE, Format, sniff
from core.intake.tables import Choice, ReportTable, read_table, suggest
from ui.own import use
from ui.own.says import quote, tell_refusal
from ui.store import Store
from ui.words import _, number

LARGEST = LARGEST_FILE // 1_000_000
"""Megabytes."""
MultiPartParser.spool_max_size = 256 * 2**20
"""Else the server writes uploads above 1 MB to a temporary file while they arrive; nothing may be written."""
KINDS = ["csv", "tsv", "txt", "parquet"]
_OWN = ("own_file", "own_choice", "own_reads", "own_row", "own_refused", "own_listed")


@dataclass(frozen=True, eq=False)
class File:
    """A file that can be looked at.

    Attributes:
        form: how it is written. first: its first rows. choice: how to read it, to begin with.
        synthetic: ours, and says so.
        token: tells its widgets from those of another file.
    """

    name: str
    data: bytes
    form: Format
    first: Preview
    choice: Choice
    synthetic: bool = False
    token: str = field(default_factory=lambda: secrets.token_hex(8))


def look(name: str, data: bytes, synthetic: bool = False) -> File:
    """A first look.

    Raises:
        TableError: a file that cannot be read at all.
    """
    try:
        form = sniff(data)
        first = preview(data, form)
        choice = suggest(first)
    except TableError as error:
        if error.kind != "no-roles":
            raise
        # no column looks like what is sought: the reader will have to say which ones they are
        choice = Choice(first.time or first.columns[0], first.target or first.columns[1], first.count)
    return File(name, data, form, first, choice, synthetic)


@cache
def get_example() -> File:
    """The synthetic example."""
    return look(examples.PATH.name, examples.PATH.read_bytes(), synthetic=True)


@cache
def _read_example() -> ReportTable:
    example = get_example()
    return read_table(example.data, example.choice, example.form)


def get() -> File:
    """The file the page shows."""
    return st.session_state.get("own_file") or get_example()


def get_choice() -> Choice:
    """How the reader wants it read."""
    return st.session_state.get("own_choice") or get().choice


def set_choice(choice: Choice) -> None:
    """Read it like this from now on."""
    st.session_state["own_choice"] = choice
    st.session_state.pop("own_row", None)


def read(file: File, choice: Choice) -> ReportTable | TableError:
    """The table, or why there is none; the last few are kept in the session."""
    if file.synthetic and choice == file.choice:
        return _read_example()
    kept: Store[ReportTable | TableError] = st.session_state.setdefault("own_reads", Store(3))
    found = kept.get(choice)
    if found is None:
        try:
            with st.spinner(_("Reading the table")):
                found = read_table(file.data, choice, file.form)
        except TableError as error:
            # without the frames that hold the whole sheet
            found = error.with_traceback(None)
        kept.put(choice, found)
    return found


# --- upload ----------------------------------------------------------------------------------------------------------
def forget() -> None:
    """Put the file away; what runs on its table elsewhere is another matter."""
    for key in _OWN:
        st.session_state.pop(key, None)


def _uploader() -> str:
    """The uploader's key: after a file was put away another one, for the old one would still hold it."""
    return f"own_upload_{st.session_state.get('own_uploads', 0)}"


def _uploaded() -> None:
    """Take the file in, or keep why not; an earlier file stays until another one can be looked at."""
    upload = st.session_state.get(_uploader())
    st.session_state.pop("own_refused", None)
    if upload is None:
        return
    st.session_state.setdefault("own_uploaded", []).append(upload.file_id)
    try:
        file = look(upload.name, upload.getvalue())
    except TableError as error:
        st.session_state["own_refused"] = error.with_traceback(None)
        return
    forget()
    st.session_state["own_file"] = file


def upload() -> None:
    """The uploader, what becomes of a file, and why the last one was refused."""
    st.file_uploader(
        _("Your table: CSV or Parquet, at most {most} MB").format(most=number(LARGEST)), type=KINDS, key=_uploader(),
        on_change=_uploaded, max_upload_size=LARGEST,
    )  # fmt: skip
    st.caption(
        _(
            "The table stays in the memory of this session. It is written nowhere, shared with no other session, and "
            "is in no link and no hand-out. The server forgets it when you put it away, or some minutes after you "
            "close the page."
        )
    )
    refused: TableError | None = st.session_state.get("own_refused")
    if refused:
        st.error(_("Refused: {reason}.").format(reason=tell_refusal(refused)), icon=":material/error:")
    file = get()
    if not file.synthetic:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(
                _("Shown: {name}, {size} bytes.").format(name=quote(file.name), size=number(len(file.data))),
                width="stretch",
            )
            st.button(_("Put the file away"), key="own_forget", icon=":material/delete:", on_click=put_away)


def put_away() -> None:
    """Forget the file, and the table the pages run on with it."""
    forget()
    use.put_away()
    context = get_script_run_ctx()
    assert context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager)
    # an uploader that is gone does not take its file along
    for file in st.session_state.pop("own_uploaded", []):
        context.uploaded_file_mgr.remove_file(context.session_id, file)
    st.session_state["own_uploads"] = st.session_state.get("own_uploads", 0) + 1
