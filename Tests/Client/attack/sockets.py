"""graphql-transport-ws as no client should speak it."""

import base64
import json
import os
import struct

from .accounts import new_account
from .server import read_all

INIT = {"type": "connection_init"}


class WebSocket:
    def __init__(self, server, subprotocol="graphql-transport-ws", **headers):
        self.connection = server.connect()
        head = "GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        head += f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
        head += f"Sec-WebSocket-Protocol: {subprotocol}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.connection.sendall((head + "\r\n").encode())
        self.received = b""
        while b"\r\n\r\n" not in self.received:
            data = self.connection.recv(65536)
            if not data:
                break
            self.received += data
        answer, _, self.received = self.received.partition(b"\r\n\r\n")
        self.status = int(answer.split()[1]) if answer else 0

    def frame(self, payload, first=0x81, length=None):
        size = len(payload) if length is None else length
        if size < 126:
            head = struct.pack("!BB", first, 0x80 | size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", first, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", first, 0x80 | 127, size)
        self.connection.sendall(head + b"\0\0\0\0" + payload)

    def send(self, message):
        self.frame(message if isinstance(message, bytes) else json.dumps(message).encode())

    def read_until(self, end):
        """What was received up to the end of the connection, or until it has these bytes."""
        while end not in self.received and (data := self.connection.recv(65536)):
            self.received += data
        return self.received

    def close_code(self):
        """Of the server's close frame; 0 where it just ended."""
        return self.close_frame()[0]

    def close_frame(self):
        """The code and the reason."""
        self.received += read_all(self.connection)
        self.connection.close()
        data = self.received
        while len(data) >= 2:
            length, start = data[1] & 127, 2
            if length == 126:
                (length,), start = struct.unpack("!H", data[2:4]), 4
            elif length == 127:
                (length,), start = struct.unpack("!Q", data[2:10]), 10
            if data[0] & 15 == 8:
                return struct.unpack("!H", data[start:start + 2])[0], data[start + 2:start + length].decode()
            data = data[start + length:]
        return 0, ""


def subscribe(number, query="{ __typename }"):
    return {"id": str(number), "type": "subscribe", "payload": {"query": query}}


def attacks(server):
    def closes(code, *messages, **options):
        def attack():
            socket = WebSocket(server, **options)
            assert socket.status == 101, socket.status
            for message in messages:
                message(socket) if callable(message) else socket.send(message)
            found = socket.close_code()
            assert found == code, f"closed with {found}"
        return attack

    yield "no connection_init", closes(4408)
    yield "two connection_init", closes(4429, INIT, INIT)
    yield "subscribe before connection_init", closes(4401, subscribe(1))
    yield "a frame that is no JSON", closes(4400, b"\0\1\2")
    yield "a message of no type", closes(4400, {"id": "1"})
    yield "a message of an unknown type", closes(4400, INIT, {"type": "start", "id": "1"})
    yield "a payload that nests", closes(4400, INIT, b'{"type":"ping","payload":' + b'{"a":' * 10_000)
    yield "the old subprotocol", closes(4406, subprotocol="graphql-ws")
    yield "a binary frame", closes(4400, lambda socket: socket.frame(b"{}", first=0x82))
    yield "reserved bits", closes(1002, lambda socket: socket.frame(b"{}", first=0xF1))
    yield "an unknown opcode", closes(1002, lambda socket: socket.frame(b"{}", first=0x83))
    yield "a message of 100 KiB", closes(1009, lambda socket: socket.frame(b"x" * 102_400))
    yield "text that is no UTF-8", closes(1007, lambda socket: socket.frame(b'{"type":"\xff"}'))
    yield "one-byte fragments", closes(1009, fragments)
    yield "a token of another's", closes(4403, {"type": "connection_init", "payload": {"accessToken": "a.b.c"}})
    yield "tokens that are not understood", lambda: misunderstood_tokens(server)
    yield "a frame that claims 2^62 bytes", lambda: huge_frame(server)
    yield "another site's page", lambda: other_origin(server)
    yield "10,000 operations on one socket", lambda: many_operations(server)
    yield "300 sockets that break off in a frame", lambda: broken_frames(server, 300)


def misunderstood_tokens(server):
    """None counts as nobody: each is taken, or refused with a reason that names the member to use."""
    token = new_account(server, "a long quiet evening")[1]["accessToken"]
    for payload in (
            {"authToken": token}, {"token": f"Bearer {token}"}, {"Authorization": f"Bearer {token}"},
            {"headers": {"authorization": f"bearer {token}"}}):
        socket = WebSocket(server)
        socket.send({"type": "connection_init", "payload": payload})
        socket.read_until(b'"connection_ack"')
        socket.send(subscribe(1, "{ viewer { id } }"))
        assert b'"viewer":{"id":"' in socket.read_until(b'"complete"'), (payload, socket.received)
        socket.connection.close()
    for payload in (
            {"accessToken": 7}, {"token": None}, {"Authorization": token}, {"Authorization": f"Token {token}"},
            {"accessToken": token, "authToken": "a.b.c"}, {"jwt": token}, {"auth": {"session": f"Bearer {token}"}},
            {"headers": {"X-Access-Token": token}}):
        socket = WebSocket(server)
        socket.send({"type": "connection_init", "payload": payload})
        code, reason = socket.close_frame()
        assert code == 4400 and "accessToken" in reason and token not in reason, (payload, code, reason)
    with open(f"{server.home}/log") as log:
        assert token not in log.read(), "the log has a token"


def fragments(socket):
    data = struct.pack("!BB4xc", 0x01, 0x81, b"{") + struct.pack("!BB4xc", 0x00, 0x81, b" ") * 200_000
    try:
        socket.connection.sendall(data)
    except (ConnectionResetError, BrokenPipeError):
        pass


def huge_frame(server):
    socket = WebSocket(server)
    socket.frame(b"x", length=1 << 62)
    assert socket.close_code() in (0, 1002, 1009)


def other_origin(server):
    assert WebSocket(server, Origin="https://evil.example").status == 403


def many_operations(server):
    socket = WebSocket(server)
    socket.send(INIT)
    for number in range(10_000):
        try:
            socket.send(subscribe(number))
        except (ConnectionResetError, BrokenPipeError):
            break
    socket.connection.close()


def broken_frames(server, count):
    before = server.descriptors()
    sockets = [WebSocket(server) for _ in range(count)]
    for socket in sockets:
        socket.send(INIT)
        socket.frame(b'{"type":', length=1000)
    for socket in sockets:
        socket.connection.close()
    server.settle(before)
