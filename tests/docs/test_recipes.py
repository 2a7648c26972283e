"""The recipe of docs/live.md that makes a live file of what ping prints, run as it stands there with what pings print.

usage: test_recipes.py SOURCE_FOLDER FOLDER_OF_GBCAST_PLAN
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = "PING login.lyon (192.0.2.7): 56 data bytes\n\n--- login.lyon ping statistics ---\n"
SENT = "5 packets transmitted, {} packets received\n"
OLD = "ottawa lyon rtt=99 time=1\n"
PINGS = {  # what ping prints, and the round trip in it; None: there is none, and what was there before has to stay
    "iputils": (HEAD + SENT.format(5) + "rtt min/avg/max/mdev = 90.030/93.134/95.041/0.004 ms\n", "93.134"),
    "iputils, some lost": (HEAD + SENT.format(2) + "rtt min/avg/max/mdev = 90.0/93.5/95.0/0.0 ms, pipe 2\n", "93.5"),
    "BusyBox": (HEAD + SENT.format(5) + "round-trip min/avg/max = 90.204/93.801/95.398 ms\n", "93.801"),
    "BSD": (HEAD + SENT.format(5) + "round-trip min/avg/max/stddev = 90.2/93.8/95.4/0.1 ms\n", "93.8"),
    "all lost": (HEAD + SENT.format(0) + "\n", None),
    "unknown host": ("", None),
}


def main():
    source, tools = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    recipes = re.findall(r"^    (ping .*)$", (source / "docs/live.md").read_text(), re.MULTILINE)
    assert len(recipes) == 1, recipes
    wrong = 0
    for name, (printed, expected) in PINGS.items():
        with tempfile.TemporaryDirectory(prefix="gbcast-recipe.") as folder:
            (Path(folder) / "printed").write_text(printed)
            (Path(folder) / "ping").write_text('#!/bin/sh\ncat "$(dirname "$0")/printed"\n')
            (Path(folder) / "ping").chmod(0o755)
            (Path(folder) / "live.txt").write_text(OLD)
            environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}")
            subprocess.run(["sh", "-c", recipes[0]], cwd=folder, env=environment, check=False)
            live = (Path(folder) / "live.txt").read_text()
            plan = subprocess.run([tools / "gbcast-plan", "--live=file:live.txt", source / "examples/three-sites.txt"],
                                  cwd=folder, capture_output=True, text=True, check=False)
        if expected is None:
            good = live == OLD
        else:
            used = f"{float(expected) / 2:.4g} ms, "
            good = re.fullmatch(rf"ottawa lyon rtt={re.escape(expected)} time=\d+\n", live) and used in plan.stdout
        if not good or plan.stderr:
            print(f"{name}: live.txt is {live!r}, and gbcast-plan prints\n{plan.stdout}{plan.stderr}")
            wrong += 1
    print(f"{len(PINGS)} pings, {wrong} that the recipe does not understand")
    return 1 if wrong else 0


sys.exit(main())
