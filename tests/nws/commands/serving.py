"""A running `gbcast-nws serve` and the messages of the Network Weather Service, for tests."""
import os
import re
import resource
import select
import signal
import socket
import struct
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATIENCE = 60  # s, against hangs only

(STORE, STORED, FETCH, FETCHED, AUTOFETCH, AUTOFETCH_ACK, CLEAN, CLEANED, FAILED) = (100, 101, 102, 103, 104, 105, 106, 107, 199)
(TEST, TEST_RESULT, DIE, REFUSED) = (200, 201, 204, 298)
(REGISTER, REGISTERED, SEARCH, SEARCHED, UNREGISTER, UNREGISTERED, NS_FAILED) = (700, 701, 702, 703, 704, 705, 799)


def vector(name):
    with open(os.path.join(TOP, "data", "nws", "vectors", name + ".bin"), "rb") as file:
        return file.read()


def message(number, body=b""):
    return struct.pack(">III", 0x02000000, number, len(body)) + body


def state(number, series, records=(), wanted=0, sequence=0.0):
    width = len(records[0]) if records else 0
    head = struct.pack(">128sIIdd", series.encode(), width, len(records) or wanted, sequence, 315360000.0)
    return message(number, head + b"".join(records))


def store(series, time, value):
    return state(STORE, series, [b"%11.0f %20.5f" % (time, value)], sequence=float(time))


def fetch(series, wanted=2000, after=0.0):
    return state(FETCH, series, wanted=wanted, sequence=after)


def register(text, seconds=0):
    return message(REGISTER, text.encode() + struct.pack(">I", seconds))


def search(text):
    return message(SEARCH, text.encode() + b"\0")


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def say(self, data):
        self.socket.sendall(data)

    def exactly(self, size):
        while len(self.rest) < size:
            data = self.socket.recv(1 << 16)
            if not data:
                raise EOFError
            self.rest += data
        data, self.rest = self.rest[:size], self.rest[size:]
        return data

    def hear(self):
        """Number and body of the next message."""
        _, number, size = struct.unpack(">III", self.exactly(12))
        return number, self.exactly(size)

    def ask(self, data):
        self.say(data)
        return self.hear()

    def records(self, series, **wanted):
        """The values that a fetch finds, newest first; None: no such series."""
        number, body = self.ask(fetch(series, **wanted))
        if number == FAILED:
            return None
        width, count = struct.unpack(">II", body[128:136])
        return [float(body[152 + i * width:152 + (i + 1) * width].split()[1]) for i in range(count)]

    def is_closed(self):
        """Whether the server ends the connection without another word."""
        try:
            return not self.rest and self.socket.recv(1) == b""
        except ConnectionResetError:
            return True


class Server:
    """The program, in a folder of its own; `files`: the most files that it may open; `before`: a command that runs it."""

    def __init__(self, program, folder, *options, files=None, before=()):
        def limit():
            if files is not None:
                resource.setrlimit(resource.RLIMIT_NOFILE, files)
        self.errors = open(os.path.join(folder, "stderr"), "a+", encoding="ascii")
        self.process = subprocess.Popen(
            [*before, program, "serve", "--ns-port=0", "--memory-port=0", "--dir=" + os.path.join(folder, "data"), *options],
            stdout=subprocess.PIPE, stderr=self.errors, preexec_fn=limit)
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        self.line = self.process.stdout.readline().decode() if ready else ""
        ports = re.findall(r"(?:name server|memory) at [^ ]*:(\d+)", self.line)
        if len(ports) != 2:
            self.end(signal.SIGKILL)
            raise AssertionError(f"did not start: '{self.line}', {self.said()}")
        self.name_server, self.memory = map(int, ports)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end(signal.SIGKILL)
        self.process.stdout.close()
        self.errors.close()

    def end(self, how=signal.SIGTERM):
        """Exit status."""
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)

    def said(self):
        self.errors.seek(0)
        return self.errors.read()

    def ask_memory(self):
        return Client(self.memory)

    def ask_name_server(self):
        return Client(self.name_server)
