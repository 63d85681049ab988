"""An app in a process of its own: what is typed into it, and the screens that it draws."""

import asyncio
import contextlib
import re
import signal

# Nothing takes that long, unless it never comes.
PATIENCE = 180


class Missing(Exception):
    pass


class Instance:
    def __init__(self, executable, url, folder, name):
        self.executable, self.url, self.folder, self.name = executable, url, folder, name
        self.process = None
        self.quiet = False

    async def start(self):
        self.screens, self.drawn = [""], asyncio.Event()
        with open(self.folder.with_suffix(".log"), "a") as log:
            self.process = await asyncio.create_subprocess_exec(
                self.executable, self.url, self.folder,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=log)  # fmt: skip
        self.reading = asyncio.create_task(self.read(self.process.stdout))

    async def read(self, output):
        lines = []
        async for line in output:
            text = line.decode().rstrip("\n")
            plain = re.sub("\x1b\\[[0-9;]*[A-Za-z]", "", text)
            lines = [text] if plain.startswith("╭─") else [*lines, text]
            if plain.startswith("╰─"):
                self.screens.append("\n".join(lines))
                self.drawn.set()
        # Whoever waits for a screen is told that none will come.
        await self.process.wait()
        self.drawn.set()

    @property
    def screen(self):
        return self.screens[-1]

    async def type(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())
        await self.process.stdin.drain()

    async def until(self, *texts, without=()):
        """Waits until the screen has all these texts and none of the others, and prints it."""

        def is_there():
            return all(text in self.screen for text in texts) and not any(text in self.screen for text in without)

        try:
            async with asyncio.timeout(PATIENCE):
                while not is_there():
                    self.drawn.clear()
                    if self.process.returncode is not None:
                        raise Missing(f"{self.name} has ended: {self.folder.with_suffix('.log').read_text()[-2000:]}")
                    if not is_there():
                        await self.drawn.wait()
        except TimeoutError:
            raise Missing(f"{self.name} does not show {texts} without {without}, but:\n{self.screen}") from None
        if not self.quiet:
            print(f"{self.name}\n{self.screen}", flush=True)

    def has_shown(self, text):
        return any(text in screen for screen in self.screens)

    async def kill(self):
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        await self.process.wait()
        await self.reading

    async def restart(self):
        """Without a chance to say goodbye."""
        await self.kill()
        await self.start()
