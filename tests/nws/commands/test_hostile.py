#!/usr/bin/env python3
"""What others send, and what they write into files, is never printed as it is. Usage: test_hostile.py GBCAST-NWS GBCAST-PLAN GBCAST-IMPORT"""
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.dont_write_bytecode = True
from nws_sensor import receive_message  # noqa: E402
from serving import *  # noqa: E402,F403

PROGRAM, PLAN, IMPORT = sys.argv[1:]
del sys.argv[1:]

# The title of a window, a line of its own, a line over another, clearing by one byte and by two, half a
# character, a character too many, and text to the left.
HOSTILE = b"x\x1b]0;t\x07\nforged: all is well\rover\x9b2J\xc2\x9b2J\xe2\x82\xff\xe2\x80\xaey"
SHOWN = r"x\x1b]0;t\x07\nforged: all is well\rover\x9b2J\xc2\x9b2J\xe2\x82\xff\xe2\x80\xaey"
NOTHING = struct.pack(">128sIIdd", b"", 0, 0, 0, 0)


class Service:
    """A name server and memory at one port, for one series from a.x to b.x."""

    def __init__(self, records, name=HOSTILE, more=b""):
        self.records = records
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        memory = b"memory:127.0.0.1:%d\t" % self.port
        self.series = (b"name:" + name + b"\tobjectclass:nwsSeries\thost:a.x:8060\t" + memory
                       + b"resource:latencyTcp\ttarget:b.x:8060\tlabel:" + HOSTILE + b"\t" + HOSTILE + b":" + HOSTILE + b"\t" + more + b"\t")
        for other in ("host", "target", "memory", "resource"):
            self.series += b"name:n\tobjectclass:nwsSeries\t" + b"".join(
                part.encode() + b":" + (HOSTILE if part == other else value) + b"\t" for part, value in
                (("host", b"a.x:8060"), ("target", b"b.x:8060"), ("memory", memory[7:-1]), ("resource", b"latencyTcp"))) + b"\t"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        try:
            while True:
                connection, _ = self.listening.accept()
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()
        except OSError:
            pass

    def serve(self, connection):
        try:
            while True:
                number, body = receive_message(connection)
                if number == SEARCH:
                    connection.sendall(message(SEARCHED, self.series + b"\0"))
                elif number == FETCH:
                    head = body[:128] + struct.pack(">IIdd", 32, len(self.records), 1.0, 315360000.0)
                    connection.sendall(message(FETCHED, head + b"".join(self.records)))
                else:
                    connection.sendall(message(FAILED, HOSTILE))
        except (EOFError, OSError):
            pass
        finally:
            connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()


def record(when, value):
    return (b"%11.0f %20s" % (when, value))[:32].ljust(32)


class Hostile(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gbcast-nws."))
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("GBCAST_", "NAME_", "MEMORY_"))}
        self.environment["HOME"] = self.folder

    def check(self, said):
        """Whether it is text that a terminal shows as it is; returns it."""
        text = said.decode("utf-8")  # strict
        self.assertIsNone(re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\ufffd]", text), repr(text))
        for line in text.splitlines():
            self.assertFalse(line.startswith("forged"), repr(text))
        return text

    def run_it(self, *command, status=0, **more):
        done = subprocess.run(command, env=self.environment, capture_output=True, timeout=PATIENCE, check=False, **more)
        out, err = self.check(done.stdout), self.check(done.stderr)
        self.assertEqual(done.returncode, status, out + err)
        return out, err

    def write(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def good(self):
        """A service with measurements, which costs nobody patience."""
        now = time.time()
        return self.enterContext(Service([record(now - 5 * i, b"12.5") for i in range(1, 20)]))

    def test_search(self):
        there = f"127.0.0.1:{self.good().port}"
        for style in ("yes", "no"):
            out, err = self.run_it(PROGRAM, "search", "-N", there, "-f", style, "objectclass=nwsSeries")
            self.assertEqual(err, "")
            self.assertIn(SHOWN.replace(" ", "_"), out)
        out, _ = self.run_it(PROGRAM, "search", "-N", there, "--unregister", "objectclass=nwsSeries", status=1)

    def test_show(self):
        there = f"127.0.0.1:{self.good().port}"
        out, err = self.run_it(PROGRAM, "show", "--nameserver", there, "--once")
        self.assertEqual((len(out.splitlines()), err), (2, ""))
        out, err = self.run_it(PROGRAM, "show", "--nameserver", there, "--json")
        self.assertIn(SHOWN.replace("\\", "\\\\"), out)
        bad = self.enterContext(Service([record(time.time(), b"nan")]))
        out, err = self.run_it(PROGRAM, "show", "--nameserver", f"127.0.0.1:{bad.port}", "--once")
        self.assertIn(SHOWN, err)

    def test_extract(self):
        there = f"127.0.0.1:{self.good().port}"
        out, err = self.run_it(PROGRAM, "extract", "-N", there, "lat", "a.x", "b.x")
        self.assertEqual((len(out.splitlines()), err), (20, ""))
        out, err = self.run_it(PROGRAM, "extract", "-N", there, "-f", "time,dest,source", "lat", "a.x")  # to whomever
        self.assertEqual((len(out.splitlines()), err), (40, ""))
        self.assertIn("  " + SHOWN.split(":")[0][:31] + "  ", out)

    def test_forecast(self):
        for line in (b"1 " + HOSTILE, HOSTILE.replace(b"\n", b""), b"1 2 " + HOSTILE[7:9], b"1 \xc2\x9b2J", b"\xe2\x80\xaey 1"):
            self.run_it(PROGRAM, "forecast", input=line + b"\n", status=1)

    def test_plan_live(self):
        hosts = self.write("hosts", b"cluster a.x\na.x\ncluster b.x\nb.x\nlink a.x b.x latency=10ms bandwidth=1Gbit/s\n")
        good = f"nws://127.0.0.1:{self.good().port}"
        out, _ = self.run_it(PLAN, "--live=" + good, hosts)
        self.assertIn("Live values of " + good, out)
        now = time.time()
        for records, why in (([b"nan"] * 3, "3 of 3 measurements are left out; the last is no number"),
                             ([b"inf", b"-1"], "2 of 2 measurements are left out; the last is -1 ms, expected 0 to 60000"),
                             ([b"1e12"], "1 of 1 measurements are left out; the last is 1e+12 ms, expected 0 to 60000")):
            bad = self.enterContext(Service([record(now - 10 + i, value) for i, value in enumerate(records)]))
            _, err = self.run_it(PLAN, f"--live=nws://127.0.0.1:{bad.port}", hosts, status=1)
            self.assertIn(f"{SHOWN} in 127.0.0.1:{bad.port}: {why}\n", err)
        bad = self.enterContext(Service([record(now + 86400, b"1")] * 2))
        _, err = self.run_it(PLAN, f"--live=nws://127.0.0.1:{bad.port}", hosts, status=1)
        self.assertRegex(err, r"2 of 2 measurements are left out; the last is 86\d\d\d s from now: is a clock wrong\?\n")

    def test_files(self):
        """Of somebody else, though plan and import are told their names."""
        hosts = self.write("hosts", b"cluster a\na0\ncluster b\nb0\nlink a b latency=10ms bandwidth=1Gbit/s\n")
        for line in HOSTILE, HOSTILE[-6:], b"\xc2\x9b2J", b"x\xc2\x9b2J y 1", b"x y 1 \xe2\x80\xae", b"u@\xc2\x9b", b"a0 b0 1 1 -1e9":
            live = self.write("live", line + b"\na0 b0 20\n")
            out, err = self.run_it(PLAN, "--live=file:" + live, hosts)
            self.assertTrue("left out" in err or "not used" in out, out + err)
        for line in HOSTILE, b"a\xc2\x9b2J", b"cluster c\xe2\x80\xae", b"switch \xe2\x80\xab", b"a0 slots=\xc2\x9b":
            _, err = self.run_it(PLAN, self.write("bad", line + b"\n"), status=1)
            self.assertIn("bad:1:", err)
        _, err = self.run_it(PLAN, "--verbose", self.write("kept", b"a \xc2\x9b=1\n"))
        self.assertIn(r"\xc2\x9b", err)
        for kind, text in (("slurm", b"NodeName=\xc2\x9b2J"), ("slurm", b"SwitchName=\xe2\x80\xae Nodes=a[0-1]\n"),
                           ("slurm", HOSTILE), ("iperf3", HOSTILE), ("ping", HOSTILE), ("pscheduler", b'{"a": "' + HOSTILE),
                           ("simgrid", b'<platform version="4.1"><zone id="\xc2\x9b" routing="Full"><host id="\xc2\x9b2J" speed="1"/>'
                                       b'</zone></platform>'),
                           ("simgrid", b"<platform " + HOSTILE)):
            done = subprocess.run([IMPORT, kind, self.write("file", text)], env=self.environment, capture_output=True,
                                  timeout=PATIENCE, check=False)
            self.assertIn(done.returncode, (0, 1))
            self.assertNotEqual(self.check(done.stdout) + self.check(done.stderr), "")

    def test_serve(self):
        def attack(server):
            with server.ask_name_server() as ns, server.ask_memory() as memory:
                self.assertEqual(ns.ask(message(REGISTER, b"name:" + HOSTILE + b"\t\t" + struct.pack(">I", 0)))[0], REGISTERED)
                self.assertEqual(ns.ask(message(SEARCH, HOSTILE + b"\0"))[0] in (SEARCHED, NS_FAILED), True)
                head = struct.pack(">128sIIdd", HOSTILE, 32, 1, 1.0, 315360000.0)
                self.assertEqual(memory.ask(message(STORE, head + record(1, b"2")))[0], STORED)
            for port in server.name_server, server.memory:
                with Client(port) as client:
                    client.say(HOSTILE * 20)
                    client.is_closed()
        for _ in range(2):  # the second one reads what the first has kept
            with Server(PROGRAM, self.folder) as server:
                attack(server)
                self.assertEqual(server.end(), 0)
        with open(os.path.join(self.folder, "stderr"), "rb") as file:
            self.check(file.read())

    def test_sense(self):
        """A peer with a hostile name, which says that it is not in a hostile clique."""
        service = self.good()
        peer = self.enterContext(socket.create_server(("127.0.0.1", 0)))

        def refuse():
            try:
                while True:
                    connection, _ = peer.accept()
                    with connection:
                        asked = connection.recv(1 << 16)
                        if struct.unpack(">I", asked[4:8])[0] == TEST:
                            connection.sendall(message(TEST_RESULT, struct.pack(">70sI70sI", HOSTILE, 3, HOSTILE, 1)))
                        else:
                            connection.sendall(message(402, asked[12:972] + bytes(4) + asked[976:]))
            except OSError:
                pass
        threading.Thread(target=refuse, daemon=True).start()
        with subprocess.Popen([PROGRAM, "sense", "--port=0", f"--nameserver=127.0.0.1:{service.port}"], env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as sensor:
            try:
                first = self.check(sensor.stdout.readline())
                with Client(int(first.rsplit(" ", 1)[-1])) as client:
                    members = b"member:127.0.0.1:%d\tmember:127.0.0.1:%d\tperiod:0.2\t" % (
                        int(first.rsplit(" ", 1)[-1]), peer.getsockname()[1])
                    started, _ = client.ask(message(600, HOSTILE[:31] + b"\0clique\0tcpMessageMonitor\0" + members + b"\0"))
                    self.assertEqual(started, 601)
                    client.say(message(602, HOSTILE + b"\0"))
                line = b""
                while b"clique" not in line:
                    line = sensor.stderr.readline()
                    self.assertNotEqual(line, b"")
                    self.check(line)
                self.assertIn(r"clique x\x1b]0;t\x07\nforged: all is well\rov", self.check(line))
            finally:
                sensor.send_signal(signal.SIGTERM)
                out, err = sensor.communicate(timeout=PATIENCE)
            self.check(out)
            self.check(err)


if __name__ == "__main__":
    unittest.main()
