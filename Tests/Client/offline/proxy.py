"""A network between clients and a server, which can be made to fail."""

import asyncio
import contextlib
import re

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


def is_repeatable(data):
    """Whether this is one whole mutation that the server does once however often it comes."""
    head, end, body = data.partition(b"\r\n\r\n")
    length = LENGTH.search(head)
    return head.startswith(b"POST ") and bool(end) and bool(length) and len(body) == int(length[1]) \
        and b'"clientMutationId":"' in body  # fmt: skip


class Proxy:
    def __init__(self, port, generator):
        self.target, self.generator = port, generator
        self.connections = set()
        self.delay = 0
        self.duplicates = 0
        self.duplication = 0.05
        self.is_down = False
        self.flowing = asyncio.Event()
        self.flowing.set()

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        if self.is_down:
            writer.transport.abort()
            return
        try:
            upstream_reader, upstream_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        pair = (writer, upstream_writer)
        self.connections.add(pair)
        pumps = [
            asyncio.create_task(self.pump(reader, upstream_writer, is_request=True)),
            asyncio.create_task(self.pump(upstream_reader, writer, is_request=False)),
        ]
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        self.abort(pair)

    async def pump(self, reader, writer, is_request):
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await self.flowing.wait()
                if self.delay:
                    await asyncio.sleep(self.generator.random() * self.delay)
                    await self.flowing.wait()
                if is_request and is_repeatable(data) and self.generator.random() < self.duplication:
                    await self.repeat(data)
                writer.write(data)
                await writer.drain()

    async def repeat(self, data):
        """Sends the request once more beside itself; nobody gets this answer."""
        self.duplicates += 1

        async def send():
            with contextlib.suppress(OSError, asyncio.TimeoutError):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.target)
                writer.write(data)
                await asyncio.wait_for(reader.read(65536), 5)
                writer.close()

        self.repeating = asyncio.create_task(send())

    def abort(self, pair):
        for writer in pair:
            writer.transport.abort()
        self.connections.discard(pair)

    def cut(self):
        for pair in list(self.connections):
            self.abort(pair)

    async def fail(self, seconds):
        """No connection is held or made."""
        self.is_down = True
        self.cut()
        await asyncio.sleep(seconds)
        self.is_down = False

    async def freeze(self, seconds):
        """Connections stand, and nothing passes."""
        self.flowing.clear()
        await asyncio.sleep(seconds)
        self.flowing.set()

    async def slow(self, seconds, delay):
        self.delay = delay
        await asyncio.sleep(seconds)
        self.delay = 0

    async def stop(self):
        self.cut()
        self.server.close()
