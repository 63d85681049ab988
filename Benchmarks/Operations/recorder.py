"""A proxy between a server and its PostgreSQL that keeps the statements which pass, with the types and values bound.

PostgreSQL's manual, "Message Formats". The log of PostgreSQL has neither the types nor the binary values.
"""

import asyncio
import dataclasses
import struct
import threading

PROTOCOL_3 = 196608


@dataclasses.dataclass(frozen=True)
class Statement:
    sql: str
    types: tuple
    # Bytes in PostgreSQL's binary format, or None for NULL.
    values: tuple


class Session:
    """What one session sends."""

    def __init__(self, keep):
        self.keep = keep
        self.bytes = b""
        self.parameters = None
        # By name: the text and the types.
        self.prepared = {}
        self.bound = None
        self.executed = []

    def take(self, received):
        self.bytes += received
        while True:
            # Only the messages before the session has begun have no byte for their type.
            head = 0 if self.parameters is None else 1
            if len(self.bytes) < head + 4:
                return
            (size,) = struct.unpack_from(">i", self.bytes, head)
            if len(self.bytes) < head + size:
                return
            kind, body = self.bytes[:head], self.bytes[head + 4 : head + size]
            self.bytes = self.bytes[head + size :]
            if head == 0:
                self.begin(body)
            else:
                self.message(kind, body)

    def begin(self, body):
        # Requests for encryption and for cancellation have other numbers.
        if struct.unpack_from(">i", body)[0] != PROTOCOL_3:
            return
        texts = body[4:].split(b"\0")
        self.parameters = {name.decode(): value.decode() for name, value in zip(texts[::2], texts[1::2]) if name}

    def message(self, kind, body):
        match kind:
            case b"P":
                name, sql, rest = body.split(b"\0", 2)
                (count,) = struct.unpack_from(">H", rest)
                self.prepared[name] = sql.decode(), struct.unpack_from(f">{count}I", rest, 2)
            case b"B":
                _, name, rest = body.split(b"\0", 2)
                self.bound = Statement(*self.prepared[name], tuple(values_of(rest)))
            case b"E":
                self.executed.append(self.bound)
            case b"S":
                if self.executed:
                    self.keep(self.parameters, self.executed)
                self.executed = []


def values_of(body):
    (count,) = struct.unpack_from(">H", body)
    assert all(struct.unpack_from(f">{count}H", body, 2)), "A value is sent as text."
    place = 2 + 2 * count
    (count,) = struct.unpack_from(">H", body, place)
    place += 2
    for _ in range(count):
        (size,) = struct.unpack_from(">i", body, place)
        place += 4
        yield None if size < 0 else body[place : place + size]
        place += max(size, 0)


class Recorder:
    """Listens at `socket`, and passes each connection on to the socket of PostgreSQL."""

    def __init__(self, socket, postgres):
        self.postgres = postgres
        # The parameters of the session, and the statements between two Syncs.
        self.segments = []
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        listening = asyncio.start_unix_server(self.serve, socket)
        self.listening = asyncio.run_coroutine_threadsafe(listening, self.loop).result(10)

    async def serve(self, reader, writer):
        session = Session(lambda parameters, statements: self.segments.append((parameters, statements)))
        answers, requests = await asyncio.open_unix_connection(self.postgres)
        await asyncio.gather(pass_on(reader, requests, session.take), pass_on(answers, writer), return_exceptions=True)

    def take(self):
        """The segments since the last call."""
        taken, self.segments = self.segments, []
        return taken

    def stop(self):
        self.loop.call_soon_threadsafe(self.loop.stop)


async def pass_on(reader, writer, look=lambda received: None):
    try:
        while received := await reader.read(1 << 16):
            look(received)
            writer.write(received)
            await writer.drain()
    finally:
        writer.close()
