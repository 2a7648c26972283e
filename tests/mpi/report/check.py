"""The files of GBCAST_STATS and GBCAST_TRACE have these calls, and the trace is in the form of a plan's trace.

usage: check.py STATS TRACE PLAN-TRACE CALL=COUNT... passed-REASON=COUNT... [ranks]

ranks: calls are on other ranks than all.
"""

import json
import sys
from collections import Counter, defaultdict

NEEDED = {
    "M": {"pid", "tid", "name", "args"},
    "X": {"pid", "tid", "ts", "dur", "cat", "name"},
    "s": {"pid", "tid", "ts", "id", "bp", "cat", "name"},
    "f": {"pid", "tid", "ts", "id", "bp", "cat", "name"},
    "i": {"pid", "tid", "ts", "s", "name"},
}


def check_form(trace):
    assert trace["displayTimeUnit"] == "ms"
    for event in trace["traceEvents"]:
        assert NEEDED[event["ph"]] <= set(event), event
        assert event.get("ts", 0) >= 0 and event.get("dur", 0) >= 0, event


def names(trace, kind):
    """The names of processes or threads, by their numbers."""
    found = {(e["pid"], e["tid"]): e["args"]["name"] for e in trace["traceEvents"] if e["name"] == kind}
    return {pid: name for (pid, _), name in found.items()} if kind == "process_name" else found


def slices(trace):
    return [e for e in trace["traceEvents"] if e["ph"] == "X"]


def check_nesting(trace):
    """Slices of a thread lie beside or inside each other."""
    rows = defaultdict(list)
    for event in slices(trace):
        rows[event["tid"]].append((event["ts"], -event["dur"], event))
    for row in rows.values():
        open_until = []
        for start, minus, event in sorted(row, key=lambda one: one[:2]):
            while open_until and open_until[-1] <= start + 1e-3:  # us, for what rounding takes
                open_until.pop()
            assert not open_until or start - minus <= open_until[-1] + 1e-3, event
            open_until.append(start - minus)


def check_transfers(trace, plan):
    planned = next(e for e in slices(plan) if "from" in e.get("args", {}))
    seen = [e for e in slices(trace) if "from" in e["args"]]
    assert seen, "no transfers"
    shared = {"from", "to", "level"}
    for event in seen:
        assert shared <= set(planned["args"]) & set(event["args"]) and event["cat"] == event["args"]["level"], event
        assert event["name"] in ("from " + event["args"]["from"], "to " + event["args"]["to"]), event
    ways = {(e["args"]["from"], e["args"]["to"], e["args"]["level"]) for e in seen if e["args"]["bytes"] == 100000}
    assert ways == {(e["args"]["from"], e["args"]["to"], e["args"]["level"]) for e in slices(plan) if "from" in e.get("args", {})}, ways
    ends = Counter((e["ph"], e["id"]) for e in trace["traceEvents"] if e["ph"] in "sf")
    assert all(ends["f", id] == count for (kind, id), count in ends.items() if kind == "s"), "arrows without an end"


def main():
    stats, trace, plan = (json.load(open(path)) for path in sys.argv[1:4])
    expected = {word.split("=")[0]: int(word.split("=")[1]) for word in sys.argv[4:] if "=" in word}
    passed = {name[len("passed-"):]: count for name, count in expected.items() if name.startswith("passed-")}
    ran = {name: count for name, count in expected.items() if not name.startswith("passed-")}

    counts = Counter()
    for row in stats["calls"]:
        counts[row["call"]] += row["calls"]
        assert row["measured_seconds"] > 0 and row["predicted_seconds"] > 0 and len(row["plan"]) == 16, row
    assert counts == ran, f"{counts} instead of {ran}"
    assert stats["accelerated"]["calls"] == sum(ran.values())
    assert {row["why"]: row["calls"] for row in stats["passed_on"]["why"]} == passed, stats["passed_on"]
    assert stats["passed_on"]["calls"] == sum(passed.values())

    check_form(trace)
    check_form(plan)
    check_nesting(trace)
    assert names(trace, "process_name") == names(plan, "process_name")
    assert set(names(plan, "thread_name").values()) <= set(names(trace, "thread_name").values())
    other = trace["otherData"]
    assert other["ranks"] == 4 and other["dropped_events"] == 0 and 0 <= other["clock_error_seconds"] < 60, other
    calls = [e for e in slices(trace) if "operation" in e["args"]]
    assert len({e["pid"] for e in calls}) == 2, "not of all ranks"
    by_name = Counter(e["args"]["operation"] for e in calls if e["cat"] == "call")
    assert by_name == {name: 4 * count for name, count in ran.items()}, by_name
    assert sum(e["cat"] == "passed on" for e in calls) == 4 * sum(passed.values())
    plans = {(row["call"], row["plan"]) for row in stats["calls"]}
    assert plans <= {(e["args"]["operation"], e["args"].get("plan")) for e in calls}, "other plans"
    assert all(e["args"]["predicted_seconds"] > 0 for e in calls if e["cat"] == "call")
    if "ranks" not in sys.argv:
        check_transfers(trace, plan)


main()
