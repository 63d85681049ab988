"""A client of the Swift package in a process of its own, and what it said."""

import asyncio
import contextlib
import json
import shutil
import signal


class Device:
    def __init__(self, executable, url, folder, name, seed, pace, variant):
        self.executable, self.url, self.folder, self.name, self.seed, self.pace = executable, url, folder, name, seed, pace
        self.variant = variant
        self.runs = self.kills = 0
        # What it was about to queue, and what it has queued, in order.
        self.about, self.queued = [], []
        self.shown, self.process, self.problem = None, None, None
        # Set when it has stored the cursor of an added object and not the object.
        self.is_early = asyncio.Event()

    async def start(self):
        self.runs += 1
        self.shown = None
        self.is_early.clear()
        with open(self.folder.with_suffix(".log"), "a") as log:
            self.process = await asyncio.create_subprocess_exec(
                self.executable, self.url, self.folder, self.name, str(self.seed + self.runs), str(self.pace), *self.variant,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=log, limit=1 << 24)  # fmt: skip
        self.reading = asyncio.create_task(self.read(self.process))

    async def read(self, process):
        async for line in process.stdout:
            with contextlib.suppress(ValueError):  # Half a line, where it was killed.
                self.take(json.loads(line))

    def take(self, said):
        if "will" in said:
            self.about.append(said)
        elif "queued" in said:
            self.queued.append(said)
        elif "rows" in said:
            self.shown = said
        elif "early" in said:
            self.is_early.set()
        elif "problem" in said:
            self.problem = said["problem"]

    async def kill(self):
        self.kills += 1
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        await self.process.wait()
        # What it wrote before it died.
        await self.reading

    async def settle(self):
        self.process.stdin.write(b"settle\n")
        await self.process.stdin.drain()

    @property
    def is_quiet(self):
        """Whether it has sent all that it had, and gets every change."""
        shown = self.shown
        return bool(shown) and shown["phase"] == "live" and shown["isWhole"] and not shown["waiting"]

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)
