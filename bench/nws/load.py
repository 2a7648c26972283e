"""Clients of `gbcast-nws serve` that ask much, take little or say little: all in one process."""
import selectors
import socket
import time

SECOND = 1.0
BUFFER = 4096  # B, of sockets that are read slowly or never: what is not taken waits in the server


class Client:
    """Sends its request again whenever it is answered."""
    reads = True
    buffer = None

    def __init__(self, port, request):
        self.port = port
        self.request = request
        self.connect()

    def connect(self):
        self.socket = socket.socket()
        if self.buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.buffer)
        self.socket.connect(("127.0.0.1", self.port))
        self.begin()
        self.socket.setblocking(False)

    def begin(self):
        self.left = 0
        self.socket.sendall(self.request)

    def hear(self):
        """Takes what has come; answers are told apart by the size in their headers. False: the server has closed."""
        try:
            data = self.socket.recv(1 << 16)
        except BlockingIOError:
            return True
        except ConnectionError:
            return False
        if not self.left and len(data) >= 12:
            self.left = 12 + int.from_bytes(data[8:12], "big")
        self.left -= len(data)
        if data and self.left == 0:
            self.begin()
        return bool(data)

    def tick(self):
        """Once a second."""


class Reconnecting(Client):
    """Closes its direction behind the request, and comes again when the server has answered and closed, too."""

    def begin(self):
        self.socket.sendall(self.request)
        self.socket.shutdown(socket.SHUT_WR)


class NeverReader(Client):
    reads = False
    buffer = BUFFER


class SlowReader(NeverReader):
    def tick(self):
        try:
            self.socket.recv(1024)
        except OSError:
            pass


class Unfinished(Client):
    """Sends half of its request and is not heard of again: so a half-open connection looks to the server."""

    def begin(self):
        self.socket.sendall(self.request[:len(self.request) // 2])


class SlowWriter(Client):
    """Sends a byte of its request a second."""

    def begin(self):
        self.said = 0

    def tick(self):
        try:
            self.said += self.socket.send(self.request[self.said:self.said + 1])
        except OSError:
            pass


def run(groups, begun):
    """Connects all clients, sets the event and goes on for ever. `groups` are tuples: how many, kind, port, request."""
    clients = []
    for count, kind, port, request in groups:
        clients += [kind(port, request) for _ in range(count)]
    selector = selectors.DefaultSelector()
    for client in clients:
        if client.reads:
            selector.register(client.socket, selectors.EVENT_READ, client)
    begun.set()
    next_tick = time.monotonic() + SECOND
    while True:
        for key, _ in selector.select(max(0, next_tick - time.monotonic())):
            client = key.data
            if not client.hear():
                selector.unregister(client.socket)
                client.socket.close()
                client.connect()
                selector.register(client.socket, selectors.EVENT_READ, client)
        if time.monotonic() >= next_tick:
            next_tick += SECOND
            for client in clients:
                client.tick()
