"""What README.md and docs/*.md say that commands print is what they print.

A line of an indented block that begins "$ gbcast-plan", or pipes into it, is run by bash in the source folder. The lines
below it, up to the next command or the end of the block, are its output; at the end of a block it may go on. Commands that need MPI,
a network or time are not run. A block that has only the command gets all of the output from --update.

usage: test_examples.py SOURCE_FOLDER FOLDER_OF_GBCAST_PLAN [--update]
"""

import os
import re
import subprocess
import sys
from pathlib import Path

INDENT = "    "
COMMAND = re.compile(r"^    \$ (?:gbcast-plan |[^|]*\| gbcast-plan )")


def blocks(lines):
    """(first, end) of the output below each command that is run"""
    for at, line in enumerate(lines):
        if not COMMAND.match(line):
            continue
        end = at + 1
        while end < len(lines) and not lines[end].startswith(INDENT + "$ "):
            if lines[end].strip() and not lines[end].startswith(INDENT):
                break
            end += 1
        while not lines[end - 1].strip():
            end -= 1
        yield at, at + 1, end


def main():
    source, tools = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    update = sys.argv[3:] == ["--update"]
    environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}")
    wrong, count = 0, 0
    for page in [source / "README.md", *sorted((source / "docs").glob("*.md"))]:
        lines = page.read_text().splitlines()
        for at, first, end in reversed(list(blocks(lines))):
            count += 1
            run = subprocess.run(["bash", "-o", "pipefail", "-c", lines[at].removeprefix(INDENT + "$ ")], cwd=source,
                                 env=environment, capture_output=True, text=True, check=False)
            printed = [(INDENT + line).rstrip() for line in run.stdout.splitlines()]
            told = lines[first:end]
            if run.returncode != 0 or run.stderr:
                print(f"{page}:{at + 1}: {lines[at].strip()}: exit {run.returncode}, {run.stderr}")
                wrong += 1
            elif update:
                lines[first:end] = printed[:len(told)] if told else printed
            elif not told or told != printed[:len(told)]:
                print(f"{page}:{at + 1}: {lines[at].strip()} prints\n" + "\n".join(printed[:len(told) or None]))
                wrong += 1
        if update:
            page.write_text("\n".join(lines) + "\n")
    assert count > 5, count
    print(f"{count} commands, {wrong} with other output")
    return 1 if wrong else 0


sys.exit(main())
