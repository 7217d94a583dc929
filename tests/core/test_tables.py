"""Real reports: every way a file can be written, every reason to refuse one, and that no bytes at all break it."""

import dataclasses
import io
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.intake import examples, notices, sheets, tables
from core.intake.dates import get_label, get_period, read_days
from core.intake.notices import TableError
from core.intake.sniffing import sniff
from core.intake.spellings import normalise
from core.intake.tables import Choice, ReportTable, read_table, write_csv, write_parquet

STEPS = Choice("step", "target", "count", "step")
DATES = Choice("date", "name", period="day")
HEADER_16 = (
    "Date received,Product,Sub-product,Issue,Sub-issue,Consumer complaint narrative,Company public response,Company,"
    "State,ZIP code,Tags,Submitted via,Date sent to company,Company response to consumer,Timely response?,Complaint ID"
)
HEADER_18 = HEADER_16.replace("Tags,", "Tags,Consumer consent provided?,").replace(
    "Timely response?,", "Timely response?,Consumer disputed?,"
)


def complaint(header, number, day, company, story=""):
    """One row of a complaint export: the fields named, invented ones elsewhere."""
    row = {"Date received": day, "Company": company, "Complaint ID": number, "Date sent to company": "2031-01-01",
           "Product": '"Credit reporting, or other"', "Consumer complaint narrative": story}  # fmt: skip
    return ",".join(str(row.get(name, "x")) for name in header.split(","))


def parquet(**columns):
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


def text(*rows):
    return "\n".join(rows).encode()


def kinds(table):
    return {note.kind: note for note in table.notes}


def totals(table):
    return dict(zip(table.targets, table.counts.sum(axis=0).tolist(), strict=True))


# --- files as they come ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("header", [HEADER_16, HEADER_18], ids=["16 columns", "18 columns"])
def test_complaint_export(header):
    data = text(
        header,
        complaint(header, 1, "2023-03-11T14:26:56.000Z", "Able Services Inc.", '"a ""word"",\nand\n\nlines"'),
        complaint(header, 2, "2023-03-13", '"ABLE SERVICES, INC."'),
        complaint(header, 3, "2023-03-14", "Able Services"),
        complaint(header, 4, "2023-03-27", '"Baker & Sons, N.A."'),
        complaint(header, 4, "2023-03-27", '"Baker & Sons, N.A."'),
        complaint(header, 5, "2023-03-28", "Baker and Sons"),
    )
    first = sheets.preview(data, sniff(data))
    assert (first.time, first.target, first.count) == ("Date received", "Company", None)
    table = read_table(data)
    assert table.targets == ("ABLE SERVICES, INC.", "Baker & Sons, N.A.")
    assert table.steps == ("2023-03-06", "2023-03-13", "2023-03-20", "2023-03-27")
    assert table.counts.tolist() == [[1, 0], [2, 0], [0, 0], [0, 3]]
    told = kinds(table)
    assert told["time-zones"].rows == 1 and told["time-zones"].values == {"moved": 0}
    assert told["spellings"].rows == 3 and told["spellings"].values["groups"] == 2
    assert told["duplicates-kept"].rows == 1 and told["empty-periods"].rows == 1
    assert set(table.spellings["ABLE SERVICES, INC."]) == {"ABLE SERVICES, INC.", "Able Services", "Able Services Inc."}
    fewer = read_table(data, Choice("Date received", "Company", drop_repeats=True))
    assert fewer.counts[-1].tolist() == [0, 2] and "duplicates-dropped" in kinds(fewer)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_encodings_and_separators(encoding, separator):
    rows = [("step", "target", "count"), ("1", "Société Générale", "3"), ("3", "Zoë", "2")]
    data = "\r\n".join(separator.join(row) for row in rows).encode(encoding)
    table = read_table(data)
    assert table.targets == ("Société Générale", "Zoë")
    assert table.counts.tolist() == [[3, 0], [0, 0], [0, 2]]
    assert ("encoding" in kinds(table)) == (not encoding.startswith("utf-8"))


def test_korean_of_a_spreadsheet():
    data = "날짜,회사,메모\n2024년 3월 5일,(주)하나,없음\n2024년 3월 6일,두리 주식회사,없음\n2024년 3월 6일,하나,없음\n"
    table = read_table(data.encode("cp949"))
    assert table.targets == ("(주)하나", "두리 주식회사") and table.counts.tolist() == [[2, 1]]
    assert kinds(table)["encoding"].values == {"encoding": "cp949"}


def test_an_open_quotation_mark_never_swallows_rows():
    for end in ('1,"B,1\n1,C,1', '1,C,"1\n1,D,1', '1,"B" and son,1'):
        with pytest.raises(TableError, match="row 3 cannot be read") as caught:
            read_table(f"step,target,count\n1,A,2\n{end}".encode(), STEPS)
        assert caught.value.kind == "open-quote"


def test_decimal_comma_thousands_and_titles():
    data = text("Export of our channel", "", "Date;Organisation;Count", "01.02.2024;A;3,0", "15.02.2024;B;1.200", ";;")
    table = read_table(data, dataclasses.replace(tables.suggest(sheets.preview(data, sniff(data))), period="month"))
    assert table.counts.tolist() == [[1200, 3]] and table.targets == ("B", "A")
    told = kinds(table)
    assert {"decimal-comma", "thousands", "title-lines", "blank-rows", "day-first"} <= set(told)
    assert told["title-lines"].rows == 2
    english = read_table(text("step,target,count", '1,A,"1,200"', "1,B,1 000.0"), STEPS)
    assert english.counts.tolist() == [[1200, 1000]]


def test_no_header():
    table = read_table(text("2024-03-04,A", "2024-03-05,B", "2024-03-11,A"))
    assert table.counts.tolist() == [[1, 1], [1, 0]] and "no-header" in kinds(table)


def test_parquet_of_typed_columns_equals_the_csv():
    days = [date(2024, 1, 1) + timedelta(days=7 * i) for i in (0, 1, 3, 3)]
    names, counts = ["A", "B", "A", "B"], [2, 0, 5, 1]
    typed = parquet(date=days, name=pa.array(names).dictionary_encode(), count=counts, more=[[1], [], None, [2]])
    written = text("date,name,count", *(f"{d},{n},{c}" for d, n, c in zip(days, names, counts, strict=True)))
    one, two = read_table(typed), read_table(written)
    assert one.counts.tolist() == two.counts.tolist() == [[2, 0], [0, 0], [0, 0], [5, 1]]
    assert one.targets == two.targets and one.steps == two.steps
    # a Sunday evening in New York is a Monday in UTC, and a Monday begins a week
    late = pa.array([datetime(2024, 1, 8, 2, tzinfo=UTC)] * 2, pa.timestamp("us", tz="America/New_York"))
    assert read_table(parquet(date=late, name=["A", "B"])).steps == ("2024-01-08",)


def test_largest_chosen_and_window():
    days = ("2024-01-01,A", "2024-01-02,B", "2024-01-02,C", "2024-01-03,C", "2024-01-09,b.", "2024-01-09,C")
    data = text("date,name", *days)
    table = read_table(data, dataclasses.replace(DATES, targets=2))
    assert totals(table) == {"C": 3, "B": 2}
    assert kinds(table)["smaller-targets"].rows == 1
    assert totals(read_table(data, dataclasses.replace(DATES, targets=("a", "B")))) == {"A": 1, "B": 2}
    short = read_table(data, dataclasses.replace(DATES, first=date(2024, 1, 2), last=date(2024, 1, 3)))
    assert short.steps == ("2024-01-02", "2024-01-03") and kinds(short)["outside"].rows == 3
    assert totals(short) == {"C": 2, "B": 1}
    assert np.array_equal(short.stream.table, short.counts)
    apart = read_table(data, dataclasses.replace(DATES, group=False))
    assert totals(apart) == {"C": 3, "A": 1, "B": 1, "b.": 1}


def test_rows_about_one_cell_are_added_up():
    table = read_table(text("step,target,count", "1,A,2", "1,A,3", "1,B,1"), STEPS)
    assert table.counts.tolist() == [[5, 1]] and kinds(table)["added-up"].rows == 1


# --- dates -----------------------------------------------------------------------------------------------------------
def days_of(*texts, day_first=None):
    found = read_days(texts, np.ones(len(texts), dtype=np.int64), day_first)
    return [found.faults.get(i, str(np.datetime64(int(day), "D"))) for i, day in enumerate(found.days)], found


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2024-03-05", "2024-03-05"), ("2024/3/5", "2024-03-05"), ("20240305", "2024-03-05"), ("2024-03", "2024-03-01"),
        ("5 March 2024", "2024-03-05"), ("Mar 5, 2024", "2024-03-05"), ("5 février 2024", "2024-02-05"),
        ("2024년 3월 5일", "2024-03-05"), ("45356", "2024-03-05"), ("31/12/99", "1999-12-31"),
        ("31/12/24", "2024-12-31"),
        ("2024-03-05T23:30:00-02:00", "2024-03-06"), ("2024-03-05 00:30+0100", "2024-03-04"),
        ("2024-03-05T23:30:00.123Z", "2024-03-05"), ("03/15/2024 12:00:00 AM", "2024-03-15"),
        ("03/15/2024 11:30 PM -01:00", "2024-03-16"), ("2024-02-29", "2024-02-29"), ("2023-02-29", "no-such-day"),
        ("2024-03-05 10:00 EST", "time-zone"), ("1024-03-05", "year"), ("soon", "not-a-date"), ("n/a", "missing"),
        ("2024-03-05T25:00", "not-a-date"), ("40/40/2024", "no-such-day"), ("may", "not-a-date"),
    ],
)  # fmt: skip
def test_dates_as_people_write_them(written, meant):
    assert days_of(written)[0] == [meant]


def test_unusual_ways_are_told():
    table = read_table(text("date,name", "1/31/24,A", "45356,B", "2024-03-06,C", "Mar 7 2024,A"), DATES)
    told = kinds(table)
    assert {"mixed-dates", "two-digit-years", "spreadsheet-days", "month-first", "empty-periods"} == set(told)
    assert told["two-digit-years"].rows == told["spreadsheet-days"].rows == told["month-first"].rows == 1
    assert table.steps[0] == "2024-01-31" and table.steps[-1] == "2024-03-07" and table.counts.sum() == 4


@settings(max_examples=50)
@given(st.dates(date(1900, 1, 1), date(2100, 12, 31)), st.booleans())
def test_either_order_is_read_back(day, day_first):
    written = f"{day.day}/{day.month}/{day.year}" if day_first else f"{day.month}/{day.day}/{day.year}"
    assert days_of(written, day_first=day_first)[0] == [str(day)]


def test_the_whole_column_decides_the_order_of_day_and_month():
    dates, found = days_of("05/03/2024", "13/03/2024")
    assert dates == ["2024-03-05", "2024-03-13"]
    assert found.notes[0].kind == "day-first" and found.notes[0].values["proof"] == "13/03/2024"
    assert days_of("05/03/2024", "03/13/2024")[0] == ["2024-05-03", "2024-03-13"]
    assert days_of("05/03/2024")[1].notes[0].kind == "month-first-guessed"
    assert days_of("05.03.2024")[1].notes[0].kind == "day-first-guessed"
    assert days_of("05/03/2024", day_first=True) == (["2024-03-05"], days_of("05/03/2024", day_first=True)[1])
    assert not days_of("05/03/2024", day_first=True)[1].notes
    # against the majority, or against what was asked for: a fault, never silently the other way round
    assert days_of("13/03/2024", "14/03/2024", "03/15/2024")[0][2] == "date-order"
    assert days_of("13/03/2024", day_first=False)[0] == ["date-order"]


@given(st.dates(date(1900, 1, 1), date(2100, 12, 31)), st.sampled_from(["day", "week", "month"]))
def test_periods_hold_their_days_and_their_labels_read_back(day, period):
    number = get_period(np.array([day.toordinal() - date(1970, 1, 1).toordinal()]), period)
    label = get_label(int(number[0]), period)
    again = read_days([label], np.ones(1, dtype=np.int64)).days
    start = date(1970, 1, 1) + timedelta(days=int(again[0]))
    assert get_period(again, period) == number
    if period == "week":
        assert start.weekday() == 0 and 0 <= (day - start).days < 7
    else:
        assert start == (day.replace(day=1) if period == "month" else day)


# --- names -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "names",
    [
        ("JPMORGAN CHASE & CO.", "JPMorgan Chase & Co", "JP Morgan Chase and Company"),
        ("Bank of America, National Association", "BANK OF AMERICA N.A.", "Bank of America"),
        ("Société Générale S.A.", "SOCIETE GENERALE"), ("Müller GmbH & Co. KG", "MÜLLER"),
        ("(주)하나", "하나 주식회사", "하나"), ("McDonald's", "Mcdonald’s Corp."),
    ],
)  # fmt: skip
def test_spellings_of_one_name(names):
    assert len({normalise(name) for name in names}) == 1


def test_other_names_stay_apart():
    names = ("Bank One", "Bank Two", "Co", "Inc", "Limited", "***", "---!", "The Sa", "First Bank", "First Bank 2")
    assert len({normalise(name) for name in names}) == len(names)


# --- refusals --------------------------------------------------------------------------------------------------------
GOOD = "1,A,2\n1,B,1"
FAULTY = {
    "missing": (STEPS, "step,target,count\n1,A,2\n1,,1", 3, "target"),
    "fields": (STEPS, "step,target,count\n1,A,2\n\n1,A,2,9\n1,B,1", 4, ""),
    "not-a-date": (DATES, 'date,name\n2024-01-01,"A\nA"\nyesterday,B\n2024-01-01,B', 3, "date"),
    "no-such-day": (DATES, "date,name\n2024-02-30,A\n2024-01-01,B", 2, "date"),
    "date-order": (DATES, "date,name\n13/1/2024,A\n14/1/2024,B\n1/15/2024,B", 4, "date"),
    "year": (DATES, "date,name\n2024-01-01,B\n0001-01-01,B", 3, "date"),
    "time-zone": (DATES, "date,name\n2024-01-01,B\n2024-01-01 10:00 CET,B", 3, "date"),
    "not-a-step": (STEPS, f"step,target,count\n{GOOD}\nfirst,B,1", 4, "step"),
    "not-a-number": (STEPS, f"step,target,count\n{GOOD}\n1,B,few", 4, "count"),
    "fraction": (STEPS, f"step,target,count\n{GOOD}\n1,B,1.5", 4, "count"),
    "negative": (STEPS, f"step,target,count\n{GOOD}\n1,B,-1", 4, "count"),
    "too-many": (STEPS, f"step,target,count\n{GOOD}\n1,B,1000001", 4, "count"),
}  # fmt: skip


@pytest.mark.parametrize("kind", notices.FAULTS)
def test_rows_are_refused_with_number_column_reason_and_what_is_allowed(kind):
    choice, written, row, column = FAULTY[kind]
    with pytest.raises(TableError) as caught:
        read_table(written.encode(), choice)
    (fault,) = caught.value.faults
    assert (fault.kind, fault.row, fault.column) == (kind, row, column)
    assert fault.text in str(caught.value) and fault.allowed in fault.text and f"row {row}" in fault.text
    lenient = dataclasses.replace(choice, drop_faulty=True)
    try:
        assert read_table(written.encode(), lenient).faults == (fault,)
    except TableError as error:
        # what is left may be too little, which is another matter
        assert error.kind == "too-few-targets"


def test_many_faults_are_counted_and_the_first_ones_named():
    rows = [f"2024-01-{1 + i % 28:02},{'A' if i % 2 else 'B'}" for i in range(300)] + ["bad,A"] * 150
    with pytest.raises(TableError, match=r"rows refused: 150") as caught:
        read_table(text("date,name", *rows), DATES)
    assert [fault.row for fault in caught.value.faults] == list(range(302, 402))


ZIP = b"PK\x03\x04" + bytes(range(256))
RANDOM = np.random.default_rng(1).bytes(5000)
REFUSED = {
    "empty": (None, b"\n \n"),
    "no-rows": (None, b"step,target,count\n\n"),
    "too-large": (None, b"x" * 2_000_001),
    "too-many-rows": (STEPS, f"step,target,count\n{GOOD}".encode()),
    "too-many-columns": (None, b"a," * 1000 + b"b\n" + b"1," * 1000 + b"2\n"),
    "not-a-table": (None, ZIP),
    "encrypted": (None, b"PARE" + bytes(100) + b"PARE"),
    "damaged": (None, parquet(date=["2024-01-01"], name=["A"])[:-20]),
    "binary": (None, RANDOM),
    "encoding": (STEPS, f"step,target,count\n{GOOD}".encode("utf-16") + b"\x00"),
    "one-column": (None, b"name\nA\nB\n"),
    "open-quote": (STEPS, b'step,target,count\n1,A,2\n1,"B,1\n' + b"1,C,1\n" * 30_000),
    "no-column": (Choice("when", "target"), f"step,target,count\n{GOOD}".encode()),
    "same-column": (Choice("step", "step"), f"step,target,count\n{GOOD}".encode()),
    "no-roles": (None, b"alpha,beta\nx y,z\nz,x\n"),
    "column-type": (Choice("date", "name"), parquet(date=["2024-01-01"], name=[["A"]])),
    "faults": (STEPS, b"step,target,count\nx,A,1"),
    "no-reports": (dataclasses.replace(STEPS, drop_faulty=True), b"step,target,count\nx,A,1"),
    "too-long": (DATES, b"date,name\n1900-01-01,A\n2024-01-01,B"),
    "too-few-targets": (DATES, b"date,name\n2023-01-01,A\n2024-01-01,a"),
    "no-such-target": (dataclasses.replace(DATES, targets=("A", "Z")), b"date,name\n2023-01-01,A\n2024-01-01,B"),
    "too-many-reports": (STEPS, b"step,target,count\n" + b"1,A,1000000\n" * 1001 + b"1,B,1"),
}


@pytest.mark.parametrize("kind", notices.REFUSALS)
def test_files_are_refused_in_one_clear_line(kind, monkeypatch):
    choice, data = REFUSED[kind]
    monkeypatch.setattr(sheets, "LARGEST_ROWS", 2 if kind == "too-many-rows" else sheets.LARGEST_ROWS)
    with pytest.raises(TableError) as caught:
        read_table(data, choice, limit=2_000_000)
    assert caught.value.kind == kind
    assert "\n" not in str(caught.value) and "{" not in str(caught.value)


def test_choices_out_of_range():
    for change in ({"period": "year"}, {"targets": 1}, {"targets": 501}, {"period": "step", "first": date(2024, 1, 1)}):
        with pytest.raises(ValueError, match=r"period|targets"):
            Choice("a", "b", **change)


# --- anything at all -------------------------------------------------------------------------------------------------
def survive(data):
    try:
        table = read_table(data)
    except TableError as error:
        assert str(error)
        return
    assert table.counts.shape == (len(table.steps), len(table.targets)) and table.counts.min() >= 0
    assert all(note.text for note in table.notes)


EXAMPLE = examples.make_synthetic_complaints()
SEEDS = [
    EXAMPLE[:3000], EXAMPLE[:2500].decode().encode("utf-16"), f"step;target;count\n{GOOD}".replace(",", ";").encode(),
    parquet(date=["2024-01-01", "2024-02-01"] * 20, name=["A", "B"] * 20, count=[1, 2] * 20),
]  # fmt: skip


@given(st.binary(max_size=400))
@example(b"PAR1")
@example(b"\xff\xfe")
@example(b"sep=;\n1;2\n")
@example(b'"')
@example(b"a" + b" " * 60_000 + b"b,c\n1,2\n")
@example(b"a," * 30_000 + b"\n")
def test_any_bytes_give_a_table_or_a_refusal(data):
    survive(data)


@given(st.text('0123456789-/:.,;|\t\n\r" +ZTabé\0', max_size=200))
def test_any_text_gives_a_table_or_a_refusal(written):
    survive(written.encode())


@settings(max_examples=150)
@given(
    st.sampled_from(SEEDS),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=8),
    st.floats(0, 1),
)
def test_damaged_files_give_a_table_or_a_refusal(data, changes, cut):
    damaged = bytearray(data)
    for where, value in changes:
        damaged[int(where * len(data))] = value
    survive(bytes(damaged if cut > 0.5 else damaged[: int(2 * cut * len(damaged))]))


# --- there and back --------------------------------------------------------------------------------------------------
LABELS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)


@settings(max_examples=50)
@given(st.data())
def test_export_reads_back_equal(data):
    names = data.draw(
        st.lists(LABELS.filter(lambda x: x.lower() not in tables.MISSING), min_size=2, max_size=5, unique=True)
    )
    period = data.draw(st.sampled_from(tables.PERIODS))
    length = data.draw(st.integers(1, 6))
    first = data.draw(st.integers(0, 400))
    counts = data.draw(st.lists(st.integers(0, 3), min_size=length * len(names), max_size=length * len(names)))
    steps = tuple(str(i) if period == "step" else get_label(i, period) for i in range(first, first + length))
    table = ReportTable(np.array(counts).reshape(length, -1), tuple(names), steps, period)
    for write in (write_csv, write_parquet):
        again = read_table(write(table), table.choice)
        assert np.array_equal(again.counts, table.counts)
        assert (again.targets, again.steps, again.period) == (table.targets, table.steps, table.period)


def test_the_example_is_made_by_its_rule_and_can_be_read():
    assert examples.PATH.read_bytes() == EXAMPLE
    table = read_table(EXAMPLE)
    assert table.counts.shape == (examples.WEEKS, 12) and all("synthetic" in name.lower() for name in table.targets)
    assert {"blank-rows", "duplicates-kept", "time-zones", "spellings"} == set(kinds(table))
    # the trouble is there: about six reports a week instead of about one
    assert table.counts[examples.TROUBLE - 1 :, 0].mean() > 4 > 2 > table.counts[: examples.TROUBLE - 1, 0].mean()
