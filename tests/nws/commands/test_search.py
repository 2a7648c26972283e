#!/usr/bin/env python3
"""gbcast-nws search against a real server. Usage: test_search.py GBCAST-NWS"""
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from serving import *  # noqa: E402,F403

PROGRAM = sys.argv.pop()


class Search(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gbcast-nws."))
        self.server = self.enterContext(Server(PROGRAM, folder))
        self.environment = dict(os.environ, HOME=folder, NAME_SERVER=f"127.0.0.1:{self.server.name_server}")
        with self.server.ask_name_server() as ns:
            for i in range(3):
                ns.ask(register(f"name:s{i}\tobjectclass:nwsSeries\tlabel:CPU Fraction\tmemory:m:{8050 + i}\todd:a\033[2Jb\t\t"))

    def search(self, *words):
        return subprocess.run([PROGRAM, "search", *words], capture_output=True, encoding="ascii", timeout=PATIENCE,
                              env=self.environment, check=False)

    def found(self, *words):
        done = self.search(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_formats(self):
        self.assertEqual(self.found("name=s1"), "name       :s1\nobjectclass:nwsSeries\nlabel      :CPU_Fraction\n"
                                                "memory     :m:8051\nodd        :a\\x1b[2Jb\n\n")
        self.assertEqual(self.found("-f", "no", "(name=s*)", "memory", "none", "name"),
                         "memory:m:8050 name:s0 \nmemory:m:8051 name:s1 \nmemory:m:8052 name:s2 \n")
        self.assertEqual(self.found("name=s1", "label", "-f", "yes"), "label      :CPU_Fraction\n\n")
        self.assertEqual(self.found("name=x"), "")
        self.assertEqual(self.found("name=s1", "none"), "")

    def test_unregister(self):
        self.assertEqual(self.found("--unregister", "(|(name=s0)(name=s2))"), "")
        self.assertEqual(self.found("-f", "no", "objectclass=nwsSeries", "name"), "name:s1 \n")
        self.assertEqual(self.found("--unregister", "objectclass=nwsSeries"), "")
        self.assertEqual(self.found("objectclass=nwsSeries"), "")

    def test_refused(self):
        for wrong in [], ["-f", "maybe", "name=x"], ["--no-such-option", "name=x"], ["-N", ":80", "name=x"]:
            self.assertEqual(self.search(*wrong).returncode, 2)
        done = self.search("-N", "127.0.0.1:1", "name=x")
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (1, "", "gbcast-nws search: 127.0.0.1:1: Connection refused\n"))


if __name__ == "__main__":
    unittest.main()
