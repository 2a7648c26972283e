"""A sensor of NWS 2.0.5 as far as cliques go, scripted after what its programs do on the wire: one message a connection;
every token is acknowledged, an older one is dropped without a word; whoever has the token measures all peers, hands it to
the next that can be reached, and counts it as lost after 2.5 periods."""
import socket
import struct
import threading
import time

from serving import message

DIE, ACK, FORWARD = 401, 402, 403
FORMAT = ">32sdd32s64sdd800sII"


def receive(peer, size):
    data = b""
    while len(data) < size:
        piece = peer.recv(size - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


def receive_message(peer):
    _, number, size = struct.unpack(">III", receive(peer, 12))
    return number, receive(peer, size)


class Token:
    def __init__(self, body=None, name=b"", ports=(), period=0.2):
        if body is None:
            self.name, self.generated, self.instance, self.leader = name, time.time(), 0.0, 0
            self.skill, self.options, self.period, self.time_out = b"tcpMessageMonitor", b"", period, 2.5 * period
            self.ports = list(ports)
            return
        (self.name, self.generated, self.instance, self.skill, self.options, self.period, self.time_out, members, count,
         self.leader) = struct.unpack(FORMAT, body)
        self.name, self.skill, self.options = (t.split(b"\0")[0] for t in (self.name, self.skill, self.options))
        self.ports = [struct.unpack_from(">II", members, 8 * i)[1] for i in range(count)]

    def body(self):
        members = b"".join(struct.pack(">II", 0x7F000001, port) for port in self.ports)
        return struct.pack(FORMAT, self.name, self.generated, self.instance, self.skill, self.options, self.period,
                           self.time_out, members, len(self.ports), self.leader)

    def age(self):
        return (self.generated, self.instance, self.leader)


class NwsSensor:
    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.name = b"other.example:%d" % self.port
        self.lock = threading.Condition()
        self.token, self.held, self.run_at, self.began = None, False, 0.0, 0.0
        self.stopped, self.closed, self.absent = False, False, False
        self.measured, self.asked = [], 0  # ports of peers, in order; experiments that it answered
        for work in (self.listen, self.work):
            threading.Thread(target=work, daemon=True).start()

    def member(self):
        return b"127.0.0.1:%d" % self.port

    def close(self):
        with self.lock:
            self.closed = True
            self.lock.notify_all()
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it has been
        self.listener.close()

    def define(self, name, ports, period=0.2):
        with self.lock:
            self.token, self.stopped = Token(name=name, ports=ports, period=period), False
            self.token.leader = self.token.ports.index(self.port)
            self.adopt()

    def halt(self):
        """As halt_activity makes it."""
        with self.lock:
            self.stopped, token = True, self.token
        for port in token.ports:
            if port != self.port:
                with self.connect(port) as peer:
                    peer.sendall(message(DIE, token.body()))

    def adopt(self):
        self.held, self.run_at = True, max(time.monotonic(), self.began + self.token.period)
        self.lock.notify_all()

    def listen(self):
        try:
            while True:
                peer, _ = self.listener.accept()
                threading.Thread(target=self.answer, args=(peer,), daemon=True).start()
        except OSError:
            pass

    def answer(self, peer):
        try:
            with peer:
                peer.settimeout(60)
                number, body = receive_message(peer)
                if number == 200:
                    peer.sendall(message(201, struct.pack(">70sI70sI", self.name, 3, b"", 1)))
                elif number == 800:
                    self.answer_experiment(peer, body)
                elif number == FORWARD:
                    self.take(peer, body)
                elif number == DIE:
                    with self.lock:
                        self.stopped = True
        except (EOFError, OSError):
            pass

    def answer_experiment(self, peer, body):
        size, _, chunk = struct.unpack(">III", body)
        peer.sendall(message(411, struct.pack(">IH", 0, 0)))
        peer.sendall(receive(peer, 1))
        receive(peer, (size + chunk - 1) // chunk * chunk)
        with self.lock:
            self.asked += 1

    def take(self, peer, body):
        token = Token(body)
        if self.absent:  # as a sensor of gbcast that is not in the clique
            peer.sendall(message(ACK, body[:960] + struct.pack(">II", 0, token.leader)))
            return
        peer.sendall(message(ACK, body))
        with self.lock:
            if self.token is None or self.token.age() <= token.age():
                self.token, self.stopped = token, False
                self.adopt()

    def work(self):
        while True:
            with self.lock:
                while not self.closed and (self.token is None or self.stopped or time.monotonic() < self.run_at):
                    idle = self.token is None or self.stopped
                    self.lock.wait(None if idle else max(0.001, self.run_at - time.monotonic()))
                if self.closed:
                    return
                if not self.held:
                    self.token.instance += 1
                    self.token.leader = self.token.ports.index(self.port)
                    self.held = True
                self.began, token = time.monotonic(), self.token
            self.turn(token)

    def connect(self, port):
        return socket.create_connection(("127.0.0.1", port), timeout=60)

    def turn(self, token):
        own = token.ports.index(self.port)
        others = token.ports[own + 1:] + token.ports[:own]
        for port in others:
            self.measure(port)
        with self.lock:
            if self.stopped or self.token is not token:
                return
            # It may be back before its acknowledgement is.
            self.held, self.run_at = False, self.began + 2.5 * token.period
        for port in others:
            try:
                with self.connect(port) as peer:
                    peer.sendall(message(FORWARD, token.body()))
                    receive_message(peer)  # and no matter what
                    return
            except OSError:
                continue
            except EOFError:
                return

    def measure(self, port):
        try:
            with self.connect(port) as peer:
                peer.sendall(message(800, struct.pack(">III", 65536, 32768, 16384)))
                receive(peer, 18)
                peer.sendall(b"x")
                receive(peer, 1)
                peer.sendall(bytes(65536))
                peer.recv(1)
        except (EOFError, OSError):
            return
        with self.lock:
            self.measured.append(port)
