"""The peers' times: data/peers.csv, a line for each run of an algorithm, a column for each size, seconds. Empty: the
simulator was stopped before it got there, the data were wrong, or that size was not asked for."""
import csv
import os

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "peers.csv")
SIZES = [4 ** i for i in range(13)]
KEY = ["operation", "platform", "place", "root", "algorithm"]


def load(path=FILE):
    """{(operation, platform, place, root): {size: {algorithm: seconds}}}"""
    found = {}
    with open(path, newline="") as lines:
        for row in csv.DictReader(lines):
            run = found.setdefault((row["operation"], row["platform"], row["place"], int(row["root"])), {})
            for size in SIZES:
                if row[str(size)]:
                    run.setdefault(size, {})[row["algorithm"]] = float(row[str(size)])
    return found


def save(times, path=FILE):
    rows = {}
    for run, sizes in times.items():
        for size, by_algorithm in sizes.items():
            for algorithm, seconds in by_algorithm.items():
                rows.setdefault(run + (algorithm,), {})[str(size)] = f"{seconds:.7g}"
    with open(path + ".new", "w", newline="") as out:
        table = csv.DictWriter(out, KEY + [str(s) for s in SIZES], lineterminator="\n")
        table.writeheader()
        for key in sorted(rows):
            table.writerow({**dict(zip(KEY, key)), **rows[key]})
    os.replace(path + ".new", path)
