#!/usr/bin/env python3
"""gbcast-nws show against a real server and against peers that misbehave. Usage: test_show.py GBCAST-NWS"""
import json
import os
import pty
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.dont_write_bytecode = True
from serving import *  # noqa: E402,F403

PROGRAM = sys.argv.pop()
NAME = "a.x:8060.latencyTcp.b.y:8060"


def fill(server, values):
    """Registers a series and stores these values, the last of them 10 s ago."""
    now = int(time.time())
    with server.ask_memory() as memory, server.ask_name_server() as ns:
        for i, value in enumerate(values):
            assert memory.ask(store(NAME, now - 10 * (len(values) - i), value))[0] == STORED
        ns.ask(register(f"name:{NAME}\tobjectclass:nwsSeries\thost:a.x:8060\tmemory:127.0.0.1:{server.memory}\t"
                        "resource:latencyTcp\ttarget:b.y:8060\t\t"))


class Peer(threading.Thread):
    """Somebody at a port who treats each connection in his own way, until nobody connects any more."""
    def __init__(self, manner):
        super().__init__(daemon=True)
        self.manner = manner
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]

    def run(self):
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            with connection:
                try:
                    connection.recv(1 << 16)
                    self.manner(connection)
                except OSError:
                    pass

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        self.join(PATIENCE)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gbcast-nws."))
        os.mkdir(self.folder + "/home")
        self.environment = {k: v for k, v in os.environ.items() if k not in ("NAME_SERVER", "NAME_SERVER_PORT", "MEMORY_PORT")}
        self.environment["HOME"] = self.folder + "/home"

    def serve(self, *options):
        return Server(PROGRAM, self.folder, *options)

    def show(self, *options):
        return subprocess.run([PROGRAM, "show", *options], capture_output=True, encoding="utf-8", timeout=PATIENCE,
                              env=self.environment, check=False)

    def refused(self, text, *options, status=1):
        done = self.show(*options)
        self.assertEqual((done.returncode, done.stdout), (status, ""))
        self.assertIn(text, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


class Once(Case):
    def test_table_and_json(self):
        with self.serve() as server:
            fill(server, [12, 14, 13])
            done = self.show("--once", f"--nameserver=127.0.0.1:{server.name_server}")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            titles, row = done.stdout.splitlines()
            self.assertEqual(titles.split(), ["SOURCE", "TARGET", "WHAT", "LAST", "FORECAST", "ERROR", "AGE", "LATELY"])
            self.assertEqual(row.split()[:6], ["a.x", "b.y", "rtt", "ms", "13.00", "13.00"])
            self.assertEqual(row.split()[-1], "▁█▅")
            done = self.show("--json", f"--nameserver=localhost:{server.name_server}")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout.count("\n"), 1)
            [series] = json.loads(done.stdout)["series"]
            self.assertEqual((series["source"], series["target"], series["last"], series["count"]),
                             ("a.x:8060", "b.y:8060", 13, 3))
            self.assertEqual(series["recent"], [12, 14, 13])
            self.assertTrue(9 <= series["age_seconds"] <= PATIENCE, series)

    def test_nothing_there(self):
        with self.serve() as server:
            done = self.show("--once", f"--nameserver=127.0.0.1:{server.name_server}")
            self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, 1))

    def test_a_memory_that_is_gone(self):
        with self.serve() as server, server.ask_name_server() as ns:
            fill(server, [12])
            ns.ask(register("name:gone\tobjectclass:nwsSeries\thost:c:1\tmemory:127.0.0.1:1\tresource:latencyTcp\t"
                            "target:d:1\t\t"))
            done = self.show("--once", f"--nameserver=127.0.0.1:{server.name_server}")
            self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, 2))
            self.assertEqual(done.stderr, "gbcast-nws: 127.0.0.1:1: Connection refused\n")

    def test_settings(self):
        self.refused("no name server", status=2)
        with self.serve() as server:
            fill(server, [12])
            with open(self.folder + "/home/.nwsrc", "w", encoding="ascii") as file:
                file.write(f"# where\nNAME_SERVER = 127.0.0.1\nNAME_SERVER_PORT={server.name_server}\nMEMORY_PORT 80\n")
            done = self.show("--once")
            self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, 2))
            self.assertEqual(done.stderr, f"gbcast-nws: {self.folder}/home/.nwsrc:4:13: expected = behind the name; "
                                          "the line is passed over\n")
            for wrong in ("127.0.0.1:1", ":80"):
                self.environment["NAME_SERVER"] = wrong
                self.assertEqual(self.show("--once").returncode, 1)

    def test_usage(self):
        for wrong in "--interval=0", "--interval=x", "--no-such-option":
            self.assertEqual(self.show(wrong).returncode, 2)

    def test_nobody(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.refused(f"127.0.0.1:{port}: Connection refused: is a name server running there?", f"--nameserver=127.0.0.1:{port}")
        self.refused("HOST[:PORT]", "--nameserver=:80", status=2)
        self.refused("nobody.invalid:8090: ", "--nameserver=nobody.invalid")


class Peers(Case):
    def talk(self, text, manner):
        with Peer(manner) as peer:
            self.refused(f"127.0.0.1:{peer.port}: {text}", "--once", f"--nameserver=127.0.0.1:{peer.port}")

    def test_closes(self):
        self.talk("the connection was closed before an answer", lambda c: None)

    def test_silent(self):
        self.talk("no answer within 5 s", lambda c: c.recv(1))

    def test_garbage(self):
        self.talk("it sends", lambda c: c.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 1000))

    def test_endless(self):
        def endless(connection):
            while True:
                connection.sendall(bytes(1 << 16))
        self.talk("it sends", endless)

    def test_half_a_reply_and_then_nothing(self):
        half = vector("04_ns_searched_rep")[:100]

        def stop(connection):
            connection.sendall(half)
            connection.recv(1)
        self.talk("no answer within 5 s", stop)


class Live(Case):
    def watch(self, server, *options):
        return subprocess.Popen([PROGRAM, "show", "--interval=0.2", f"--nameserver=127.0.0.1:{server.name_server}", *options],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env=self.environment)

    def until(self, process, text):
        """Reads until a line with the text comes."""
        for line in process.stdout:
            if text in line:
                return line
        self.fail(f"ended without '{text}': {process.stderr.read()}")

    def end(self, process):
        process.kill()
        process.communicate()

    def test_pushes_arrive(self):
        """Long before the next survey."""
        with self.serve() as server:
            fill(server, [12])
            process = self.watch(server)
            self.until(process, " 12.00 ")
            with server.ask_memory() as memory:
                memory.ask(store(NAME, int(time.time()), 17.25))
            self.until(process, " 17.25 ")
            self.end(process)

    def test_gap_while_the_server_is_away(self):
        with self.serve() as server:
            fill(server, [12])
            process = self.watch(server)
            self.until(process, " 12.00 ")
            self.until(process, " 12.00 ")  # it has subscribed by now, or will find out
            server.end()
            with self.serve(f"--ns-port={server.name_server}", f"--memory-port={server.memory}") as again:
                with again.ask_memory() as memory:
                    memory.ask(store(NAME, int(time.time()), 18.5))
                self.until(process, " 18.50 ")
            self.end(process)

    def test_terminal(self):
        with self.serve() as server:
            fill(server, [12])
            ours, theirs = pty.openpty()
            process = subprocess.Popen([PROGRAM, "show", "--interval=0.2", f"--nameserver=127.0.0.1:{server.name_server}"],
                                       stdout=theirs, stdin=subprocess.DEVNULL, env=self.environment)
            os.close(theirs)
            text = b""
            while text.count(b" 12.00 ") < 4 and select.select([ours], [], [], PATIENCE)[0]:
                text += os.read(ours, 1 << 16)
            process.kill()
            process.wait()
            os.close(ours)
            self.assertEqual(text.count(b"\033[2J"), 1)
            self.assertGreaterEqual(text.count(b"\033[H"), 2)


if __name__ == "__main__":
    unittest.main()
