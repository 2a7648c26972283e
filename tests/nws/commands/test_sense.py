#!/usr/bin/env python3
"""gbcast-nws sense over loopback, mostly with a scripted name server and memory. Usage: test_sense.py GBCAST-NWS"""
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
from nws_sensor import NwsSensor, receive, receive_message  # noqa: E402
from serving import PATIENCE, Server, message, search, vector  # noqa: E402

PROGRAM = sys.argv.pop()


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def wait_for(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited in vain for " + what)
        time.sleep(0.02)


class Daemon:
    """A name server and memory at one port, which can be stopped and started again."""

    def __init__(self):
        self.objects, self.lifetimes, self.stored, self.port = [], {}, {}, 0
        self.start()
        name = b"127.0.0.1:%d" % self.port
        self.objects.append(b"name:%s\tobjectclass:nwsHost\thostType:memory\tipAddress:127.0.0.1,10.0.0.1\tport:%d\t\t"
                            % (name, self.port))

    def start(self):
        self.connections = []
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def stop(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def accept(self, listener):
        try:
            while True:
                connection, _ = listener.accept()
                self.connections.append(connection)
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()
        except OSError:
            pass

    def serve(self, connection):
        try:
            while True:
                number, body = receive_message(connection)
                connection.sendall(self.answer(number, body))
        except (EOFError, OSError):
            connection.close()

    def answer(self, number, body):
        if number == 700:
            self.objects.append(body[:-4])
            self.lifetimes[body[:-4]] = struct.unpack(">I", body[-4:])[0]
            return message(701)
        if number == 702:
            return message(703, b"".join(o for o in self.objects if b"hostType:memory" in o) + b"\0")
        if number == 704:
            terms = [t.replace(b"=", b":") for t in re.findall(rb"\((\w+=[^()]*)\)", body)]
            self.objects = [o for o in self.objects if not all(t in o.split(b"\t") for t in terms)]
            return message(705)
        size, count, sequence, keep = struct.unpack(">IIdd", body[128:152])
        record = body[152:]
        assert number == 100 and size == 32 and count == 1 and keep == 315360000 and len(record) == 32
        when, value = record.split()
        self.stored.setdefault(body[:128].rstrip(b"\0").decode(), []).append((sequence, float(when), float(value)))
        return message(101)

    def values(self, resource, host, target):
        """What is stored in the registered series of this kind."""
        for found in self.objects:
            if all(b"\t%s\t" % part in found for part in (b"resource:" + resource, b"host:" + host,
                                                          b"target:" + target)):
                name = found.split(b"\t")[0][len("name:"):].decode()
                return self.stored.get(name, [])
        return []


class Sensor:
    def __init__(self, name_server, *options):
        self.process = subprocess.Popen(
            [PROGRAM, "sense", "--port=0", "--nameserver=localhost:%d" % name_server, *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        line = self.process.stdout.readline()
        self.port = int(line.rsplit(" ", 1)[-1])
        self.name = line.split()[2].encode()

    def member(self):
        return b"127.0.0.1:%d" % self.port

    def ask(self, number, body=b""):
        with connect(self.port) as peer:
            peer.sendall(message(number, body))
            return receive_message(peer)

    def end(self, how=signal.SIGTERM):
        """Its exit status; nothing that it started is left."""
        self.process.send_signal(how)
        self.process.communicate(timeout=PATIENCE)
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return self.process.returncode
        raise AssertionError("something is left running")


class Target:
    """A sensor of another make: answers experiments, at a port of their own or where they came in, and nothing else."""

    def __init__(self, another_port):
        self.requests, self.another_port = [], another_port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def member(self):
        return "127.0.0.1:%d" % self.port

    def run(self):
        try:
            while True:
                control, _ = self.listener.accept()
                with control:
                    self.answer(control)
        except OSError:
            pass

    def answer(self, control):
        try:
            number, body = receive_message(control)
            if number == 800:
                self.measure(control, body)
                self.requests.append(body)
        except (EOFError, ConnectionError):
            pass

    def measure(self, control, body):
        size, _, chunk = struct.unpack(">III", body)
        data = control
        if self.another_port:
            with socket.create_server(("127.0.0.1", 0)) as second:
                control.sendall(message(411, struct.pack(">IH", 0, second.getsockname()[1])))
                assert control.recv(1) == b""
                data, _ = second.accept()
        else:
            control.sendall(message(411, struct.pack(">IH", 0, 0)))
        with data:
            data.sendall(receive(data, 1))
            receive(data, (size + chunk - 1) // chunk * chunk)

    def stop(self):
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it has been
        self.listener.close()


def clique(sensors, period=b"0.2", name=b"test"):
    members = b"".join(b"member:%s\t" % s.member() for s in sensors)
    return name + b"\0clique\0tcpMessageMonitor\0" + members + b"period:" + period + b"\t\0"


class SenseTest(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.stop)
        self.sensors = []
        self.addCleanup(self.end_all)

    def name_server(self):
        return self.daemon.port

    def end_all(self):
        for sensor in self.sensors:
            if sensor.process.returncode is None:
                self.assertEqual(sensor.end(), 0)

    def sensor(self, *options):
        self.sensors.append(Sensor(self.name_server(), *options))
        return self.sensors[-1]

    def start_clique(self, sensors):
        for sensor in sensors:
            self.assertEqual(sensor.ask(600, clique(sensors)), (601, b""))

    def wait_for_values(self, resource, a, b, count):
        wait_for("%d values of %s" % (count, resource.decode()),
                 lambda: len(self.daemon.values(resource, a.name, b.name)) >= count)
        return self.daemon.values(resource, a.name, b.name)

    def test_sensors_measure_each_other(self):
        a, b, c = trio = [self.sensor() for _ in range(3)]
        earliest = time.time() - 1  # times are sent as whole seconds
        self.start_clique(trio)
        for one in trio:
            for other in trio:
                if one is other:
                    continue
                for resource in (b"latencyTcp", b"bandwidthTcp"):
                    for sequence, when, value in self.wait_for_values(resource, one, other, 3):
                        self.assertGreater(value, 0)
                        self.assertTrue(earliest <= when <= time.time() + 1, when)  # in between, however long that is
                        self.assertLess(abs(sequence - when), 2)
        for text, seconds in self.daemon.lifetimes.items():
            self.assertEqual(seconds, 900, text)
        number, body = a.ask(200)
        self.assertEqual((number, len(body)), (201, 148))
        self.assertEqual(body[:70].rstrip(b"\0"), a.name)
        self.assertEqual(body[70:74], b"\0\0\0\3")
        self.assertEqual(body[74:144].rstrip(b"\0"), b"localhost:%d" % self.daemon.port)
        self.assertEqual(body[144:], b"\0\0\0\1")
        # The others go on when one dies, and leave a clique that is stopped.
        c.process.kill()
        c.process.communicate(timeout=PATIENCE)
        before = len(self.daemon.values(b"latencyTcp", a.name, b.name))
        self.wait_for_values(b"latencyTcp", a, b, before + 3)
        self.assertEqual(a.ask(602, b"test\0"), (603, b""))
        self.assertEqual(a.ask(602, b"test\0")[0], 699)

    def nws_sensor(self):
        sensor = NwsSensor()
        self.addCleanup(sensor.close)
        return sensor

    def wait_for_all_pairs(self, ours, others, count=3):
        """Every one of these measures every other; those of NWS keep what they measured to themselves."""
        for one in ours:
            for other in ours + others:
                if one is not other:
                    for resource in (b"latencyTcp", b"bandwidthTcp"):
                        self.wait_for_values(resource, one, other, count)
        for one in others:
            for other in ours + others:
                if one is not other:
                    wait_for("measurements by NWS", lambda: one.measured.count(other.port) >= count)

    def mixes(self):
        """Sensors of gbcast and NWS: two and one, one and two, one and one."""
        for ours, others in ((2, 1), (1, 2), (1, 1)):
            yield [self.sensor() for _ in range(ours)], [self.nws_sensor() for _ in range(others)]

    def test_cliques_that_nws_leads(self):
        for ours, others in self.mixes():
            others[0].define(b"mixed", [s.port for s in ours + others])
            self.wait_for_all_pairs(ours, others)

    def test_cliques_with_nws_that_gbcast_leads(self):
        for ours, others in self.mixes():
            self.assertEqual(ours[0].ask(600, clique(ours + others)), (601, b""))  # nobody else is told
            self.wait_for_all_pairs(ours, others)

    def test_clique_with_nws_of_the_command_lines(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        a, other = self.sensor(), self.nws_sensor()
        members = [a.member().decode(), other.member().decode(), "127.0.0.1:%d" % port]
        b = self.sensor("--port=%d" % port, "--period=0.2", "--clique=line", *members)
        wait_for("b's values", lambda: all(any(b"host:" + b.name in o and b"target:" + m.encode() in o
                                               for o in self.daemon.objects) for m in members[:2]))
        self.wait_for_values(b"latencyTcp", a, other, 3)  # of it, a knows from the token alone
        wait_for("NWS's", lambda: {a.port, b.port} <= set(other.measured))

    def test_sensors_of_nws_and_gbcast_that_restart(self):
        ours, others = [self.sensor(), self.sensor()], [self.nws_sensor()]
        others[0].define(b"mixed", [s.port for s in ours + others])
        self.wait_for_all_pairs(ours, others, 5)  # now they know how long a round takes, and what is late
        others[0].close()
        before = len(self.daemon.values(b"latencyTcp", ours[0].name, ours[1].name))
        self.wait_for_values(b"latencyTcp", *ours, before + 3)
        self.wait_for_values(b"latencyTcp", *reversed(ours), 3)
        ours[0].end(signal.SIGKILL)
        again = self.sensor("--port=%d" % ours[0].port)  # and hears of the clique from the token
        before = len(self.daemon.values(b"latencyTcp", again.name, ours[1].name))
        self.wait_for_values(b"latencyTcp", again, ours[1], before + 3)
        self.sensors.remove(ours[0])

    def test_who_ends_a_clique_ends_it_for_all(self):
        ours, others = [self.sensor(), self.sensor()], [self.nws_sensor()]
        everybody = [s.port for s in ours + others]
        others[0].define(b"mixed", everybody)
        self.wait_for_all_pairs(ours, others, 1)
        others[0].halt()
        for sensor in ours:
            wait_for("its end", lambda s=sensor: s.ask(602, b"mixed\0")[0] == 699)
        others[0].define(b"mixed", everybody)
        del others[0].measured[:]
        wait_for("it again", lambda: len(others[0].measured) > 5)
        self.assertEqual(ours[1].ask(602, b"mixed\0"), (603, b""))
        # A token that NWS makes meanwhile, on a busy machine, is newer than the end, and starts it again.
        wait_for("the end at NWS", lambda: others[0].stopped or ours[1].ask(602, b"mixed\0") is None)
        wait_for("the end at gbcast", lambda: ours[0].ask(602, b"mixed\0")[0] == 699)
        # Nobody has a token, so nobody measures, and an old one does not bring it back.
        with connect(ours[0].port) as peer:
            peer.sendall(message(403, others[0].token.body()))
            self.assertEqual(receive_message(peer)[1][960:964], bytes(4))
        self.assertEqual(ours[0].ask(602, b"mixed\0")[0], 699)

    def test_who_is_not_in_it_gets_no_token(self):
        ours, other = [self.sensor(), self.sensor()], self.nws_sensor()
        other.absent = True
        self.assertEqual(ours[0].ask(600, clique(ours + [other])), (601, b""))
        self.wait_for_values(b"latencyTcp", *ours, 4)
        self.wait_for_values(b"latencyTcp", *reversed(ours), 4)
        self.assertIsNone(other.token)

    def test_a_token_is_answered_by_itself(self):
        a, b, other = self.sensor(), self.sensor(), self.nws_sensor()
        other.define(b"mixed", [a.port, b.port, other.port])
        self.wait_for_values(b"latencyTcp", a, b, 1)
        for change in (0, -1, -1e6):  # new enough or not, as NWS does
            body = bytearray(other.token.body())
            body[32:40] = struct.pack(">d", other.token.generated + change)
            self.assertEqual(a.ask(403, bytes(body)), (402, bytes(body)))
        body[:6] = b"other\0"
        struct.pack_into(">II", body, 160, 0x7F000001, 1)
        number, answer = a.ask(403, bytes(body))  # it is not among the members
        self.assertEqual((number, answer[960:964]), (402, bytes(4)))

    def test_sizes_of_a_clique(self):
        a, other = self.sensor(), self.nws_sensor()
        request = clique([a, other])[:-1] + b"size:32\tbuffer:16\tmessage:8\t\0"
        self.assertEqual(a.ask(600, request), (601, b""))
        name = "%s.bandwidthTcp.16.8.32.%s" % (a.name.decode(), other.name.decode())
        wait_for("values of " + name, lambda: name in self.daemon.stored)
        self.assertEqual(other.token.options, b"size:32\tbuffer:16\tmessage:8")
        for wrong in (b"size:0", b"size:x", b"message:99999999", b"size:1\t" * 20):
            self.assertEqual(a.ask(600, b"y" + clique([a, other])[:-1] + wrong + b"\t\0")[0], 699)

    def test_start_activity_finds_what_it_looks_for(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gbcast-nws."))
        with Server(PROGRAM, folder) as server:
            self.name_server = lambda: server.name_server
            a, b = self.sensor(), self.sensor()

            def found(text):
                with server.ask_name_server() as client:
                    return client.ask(search(text))[1].decode().rstrip("\0")
            host = "(host=%s)" % a.name.decode()
            wait_for("the control", lambda: found("(&%s(objectclass=nwsControl)(controlName=*clique*))" % host))
            wait_for("the skill", lambda: found("(&%s(objectclass=nwsSkill)(skillName=*tcpMessage*))" % host))
            control = found("(&%s(objectclass=nwsControl))" % host).split("\t")
            skill = found("(&%s(objectclass=nwsSkill))" % host).split("\t")
            for expected in ("option:member,period", "skillName:tcpMessageMonitor", "member:2_to_100_sensor",
                             "period:0_to_1_int", "name:%s.clique" % a.name.decode()):
                self.assertIn(expected, control)
            for expected in ("option:buffer,message,size,target", "buffer:0_to_1_int", "message:0_to_1_int",
                             "size:0_to_1_int", "target:1_to_100_sensor"):
                self.assertIn(expected, skill)
            self.assertEqual(a.ask(600, clique([a, b])), (601, b""))
            activity = "(&(objectclass=nwsActivity)(name=*test*))"  # what halt_activity looks for
            wait_for("the activity", lambda: found(activity))
            parts = found(activity).split("\t")
            self.assertEqual(len([p for p in parts if p.startswith("name:")]), 1)
            members = ",".join(sorted((a.name.decode(), b.name.decode())))
            self.assertIn("host:" + a.name.decode(), parts)
            self.assertEqual(",".join(sorted(next(p for p in parts if p.startswith("member:"))[7:].split(","))), members)
            self.assertEqual(a.ask(602, b"test\0"), (603, b""))
            wait_for("its end", lambda: not found(activity))
            self.end_all()
            self.assertEqual(server.end(), 0)

    def test_clique_of_the_command_line(self):
        a = self.sensor()
        b = self.sensor("--period=0.2", "--memory=127.0.0.1:%d" % self.daemon.port, "--clique=line", a.member().decode())
        target = b"target:" + a.member()
        wait_for("a series", lambda: any(target in o and b"host:" + b.name in o for o in self.daemon.objects))

    def test_experiment_of_the_captures(self):
        a = self.sensor()
        with connect(a.port) as peer:
            for byte in vector("13_tcp_bw_req"):
                peer.sendall(bytes([byte]))
            expected = vector("14_tcp_handshake_rep")
            answer = receive(peer, len(expected))
            self.assertEqual(answer[:16], expected[:16])
            port, = struct.unpack(">H", answer[16:])
            data = peer if port == 0 else connect(port)
            data.sendall(b"x")
            receive(data, 1)
            for _ in range(4):
                data.sendall(bytes(16384))
            self.assertEqual(data.recv(1), b"")
            data.close()

    def test_experiment_of_no_size(self):
        """nws_ping -size 0,32,16 and -size 0,0,0: a round trip, and nothing else."""
        a = self.sensor()
        for sizes in (0, 32768, 16384), (0, 0, 0), (0, 1, 0):
            with connect(a.port) as peer:
                peer.sendall(message(800, struct.pack(">III", *sizes)))
                self.assertEqual(receive(peer, 18), vector("14_tcp_handshake_rep")[:16] + bytes(2))
                peer.sendall(b"x")
                receive(peer, 1)
                self.assertEqual(peer.recv(1), b"")
        with connect(a.port) as peer:  # messages of nothing never make a burst
            peer.sendall(message(800, struct.pack(">III", 65536, 32768, 0)))
            self.assertEqual(peer.recv(1), b"")

    def target(self, another_port):
        target = Target(another_port)
        self.addCleanup(target.stop)
        return target

    def test_targets_of_other_makes(self):
        for another_port in (False, True):
            target = self.target(another_port)
            self.sensor("--period=0.2", "--clique=x", target.member())
            for kind in ("latencyTcp.", "bandwidthTcp.32.16.64."):
                wait_for("its " + kind, lambda end=kind + target.member(): any(
                    name.endswith(end) for name in self.daemon.stored))
            self.assertEqual(target.requests[0], vector("13_tcp_bw_req")[12:])

    def test_many_experiments_at_once_wait_for_each_other(self):
        a = self.sensor()
        peers = [connect(a.port) for _ in range(12)]
        for peer in peers:
            peer.sendall(vector("13_tcp_bw_req"))
        for peer in peers:  # in order: the others are still waiting
            receive(peer, 18)
            peer.sendall(b"x")
            receive(peer, 1)
            peers[-1].setblocking(False)
            if peer is not peers[-1]:
                self.assertRaises(BlockingIOError, peers[-1].recv, 1)
            peers[-1].settimeout(PATIENCE)
            peer.sendall(bytes(65536))
            self.assertEqual(peer.recv(1), b"")
            peer.close()

    def test_nonsense_hurts_nobody(self):
        a = self.sensor()
        huge = 0xFFFFFFFF
        for sizes in ((huge, huge, huge), (huge, 1, 1), (1, 1, huge), (65536, 32768, 0)):
            with connect(a.port) as peer:
                peer.sendall(message(800, struct.pack(">III", *sizes)))
                self.assertEqual(peer.recv(1), b"", sizes)
        for text in (b"GET / HTTP/1.0\r\n\r\n", bytes(5000), os.urandom(3000), message(403, b"x" * 968),
                     message(403, b""), message(100, b"x" * 184), message(800, b"x"), struct.pack(">III", 2, 200, huge)):
            with connect(a.port) as peer:
                try:
                    peer.sendall(text)
                    peer.shutdown(socket.SHUT_WR)
                    while peer.recv(65536):
                        pass
                except ConnectionError:
                    pass
        silent = [connect(a.port) for _ in range(300)]  # more than it lets in
        self.assertEqual(a.ask(200)[0], 201)
        for peer in silent:
            peer.close()
        with connect(a.port) as peer:  # asks without end and reads nothing
            with self.assertRaises(ConnectionError):
                while True:
                    peer.sendall(message(200) * 1000)
        self.assertEqual(a.ask(204)[0], 298)
        for body in (b"", b"x"):
            self.assertEqual(a.ask(850, body)[0], 699)
        for body in (b"x\0periodic\0cpuMonitor\0\0", b"x\0clique\0tcpMessageMonitor\0period:1\t\0",
                     b"x\0clique\0tcpMessageMonitor\0member:no.such.host.invalid\t\0",
                     clique([a], b"0"), clique([a], b"nan"), clique([a]), b"", b"x"):
            with connect(a.port) as peer:
                peer.sendall(message(600, body))
                try:
                    self.assertEqual(receive_message(peer)[0], 699, body)
                except EOFError:
                    pass
        self.assertEqual(a.ask(200)[0], 201)

    def test_delivers_when_the_memory_is_back(self):
        memory, target = Daemon(), self.target(False)
        self.addCleanup(memory.stop)
        self.sensor("--period=0.1", "--memory=127.0.0.1:%d" % memory.port, "--clique=x", target.member())
        wait_for("the first values", lambda: len(memory.stored) == 2)
        memory.stop()
        measured = len(target.requests)
        wait_for("more experiments", lambda: len(target.requests) >= measured + 5)
        memory.start()
        target.stop()
        target.thread.join(PATIENCE)
        wait_for("all values", lambda: all(len(values) >= len(target.requests) for values in memory.stored.values()))
        for values in memory.stored.values():
            sequences = [sequence for sequence, _, _ in values]
            self.assertEqual(sequences, sorted(sequences))

    def test_name_server_that_forgets_is_told_again(self):
        self.sensor()
        wait_for("the sensor", lambda: any(b"hostType:sensor" in o for o in self.daemon.objects))
        self.daemon.stop()
        del self.daemon.objects[1:]
        self.daemon.start()
        wait_for("the sensor again", lambda: any(b"hostType:sensor" in o for o in self.daemon.objects))

    def test_iperf(self):
        pair = [self.sensor("--iperf"), self.sensor("--iperf")]
        self.start_clique(pair)
        a, b = pair
        wait_for("a long transfer", lambda: any(b"\tmethod:iperf\t" in o for o in self.daemon.objects))
        name = "%s.bandwidthTcp.0.128.16384.%s" % (a.name.decode(), b.name.decode())
        wait_for("its value", lambda: len(self.daemon.stored.get(name, [])) >= 2)
        self.assertGreater(self.daemon.stored[name][0][2], 0)

    def test_iperf_ends_with_its_sensor(self):
        a = self.sensor("--iperf")
        with connect(a.port) as peer:
            peer.sendall(message(850))
            number, body = receive_message(peer)
            self.assertEqual((number, len(body)), (411, 6))
            self.assertEqual(a.end(), 0)  # and of the server that waits nothing is left

    def test_iperf_ends_with_whoever_asked(self):
        a = self.sensor("--iperf")
        for _ in range(3):  # each needs the lane that the one before had
            with connect(a.port) as peer:
                peer.sendall(message(850))
                self.assertEqual(receive_message(peer)[0], 411)

    def test_interrupt_ends_it(self):
        self.assertEqual(self.sensor().end(signal.SIGINT), 0)


    def test_serve_and_extract_hear_of_them(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gbcast-nws."))
        with Server(PROGRAM, folder) as server:
            self.name_server = lambda: server.name_server
            a, b = pair = [self.sensor(), self.sensor()]
            self.start_clique(pair)
            asked = [PROGRAM, "extract", "-n3", "-N127.0.0.1:%d" % server.name_server, "latencyTcp",
                     a.name.decode(), b.name.decode()]

            def extracted():
                done = subprocess.run(asked, capture_output=True, timeout=PATIENCE, check=True)
                return len(done.stdout.splitlines()) == 4
            wait_for("three measurements and their titles", extracted)
            self.end_all()
            self.assertEqual(server.end(), 0)


class UsageTest(unittest.TestCase):
    def refused(self, status, text, *options, **settings):
        environment = {k: v for k, v in os.environ.items() if k != "NAME_SERVER"} | {"HOME": "/nonexistent"} | settings
        result = subprocess.run([PROGRAM, "sense", *options], capture_output=True, text=True, timeout=PATIENCE,
                                env=environment, check=False)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn(text, result.stderr)
        self.assertEqual(result.stdout, "")

    def test_wrong_usage(self):
        self.refused(2, "--clique=NAME", "host")
        self.refused(2, "HOSTs are missing", "--clique=x")
        self.refused(2, "1 to 31", "--clique=" + "x" * 32, "host")
        self.refused(2, "0.1 to 86400", "--period=0")
        self.refused(2, "--port", "--port=70000")
        self.refused(2, "HOST[:PORT]", "--clique=x", "host:0")
        self.refused(2, "twice", "--clique=x", "--clique=y", "host")
        self.refused(2, "name server")
        self.refused(2, "HOST[:PORT]", "--nameserver=a b")
        self.refused(2, "--memory", "--nameserver=localhost", "--memory=a b")

    def test_what_cannot_be_done(self):
        self.refused(1, "SENSOR_MEMORY", "--nameserver=localhost", SENSOR_MEMORY="a b")
        self.refused(1, "no.such.host.invalid:8060", "--nameserver=localhost", "--port=0", "--clique=x",
                     "no.such.host.invalid")
        with socket.create_server(("", 0)) as free:
            port = str(free.getsockname()[1])
        own = ["--nameserver=localhost", "--port=" + port, "--clique=x", "127.0.0.1:" + port]
        self.refused(1, "no other member", *own)
        self.refused(1, "are both this sensor", *own, "localhost:" + port)
        self.refused(1, "SENSOR_PORT", NAME_SERVER="localhost", SENSOR_PORT="x")
        self.refused(1, "MEMORY_PORT", "--port=0", NAME_SERVER="localhost", SENSOR_MEMORY="m", MEMORY_PORT="x")
        with socket.create_server(("", 0)) as taken:
            port = str(taken.getsockname()[1])
            self.refused(1, "in use", "--nameserver=localhost", "--port=" + port)
            self.refused(1, "in use", NAME_SERVER="localhost", SENSOR_PORT=port)


if __name__ == "__main__":
    unittest.main()
