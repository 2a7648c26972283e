"""tests/support/mpi/inject_table.h has every MPI function that the library needs, and makes none fail that it does not need.

usage: failures_table.py NM LIBRARY TABLE
"""

import re
import subprocess
import sys


def main():
    nm, library, table = sys.argv[1:]
    lines = subprocess.run([nm, "-D", "--undefined-only", library], check=True, capture_output=True, text=True).stdout
    needed = set(re.findall(r"\bP?MPI_[A-Z][a-z]\w+", lines))
    assert needed, f"{library} needs nothing of MPI"
    with open(table) as file:
        text = file.read()
    known = set(re.findall(r"^(?:FAILS|TWIN|EXEMPT)\((\w+)", text, re.MULTILINE))
    always = set(re.findall(r"^(?:FAILS|TWIN)\((\w+)", re.sub(r"^#if.*?^#endif", "", text, flags=re.MULTILINE | re.DOTALL),
                            re.MULTILINE))
    assert not needed - known, f"{table} lacks {sorted(needed - known)}"
    assert not always - needed, f"{library} does not need {sorted(always - needed)}"


main()
