"""A test with a server in a folder of its own. The program is the last argument of the command line."""
import subprocess
import sys
import tempfile
import unittest

from serving import *  # noqa: F403

PROGRAM = sys.argv.pop()


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gbcast-nws."))

    def start(self, *options, **limits):
        return Server(PROGRAM, self.folder, *options, **limits)

    def refused(self, status, text, *options, before=()):
        done = subprocess.run([*before, PROGRAM, "serve", "--ns-port=0", "--memory-port=0", "--dir=" + self.folder + "/data",
                               *options], capture_output=True, timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stdout), (status, b""))
        self.assertIn(text, done.stderr.decode())
