"""Swift clients behind a network that fails, which are killed, with servers that are replaced; then every queued write and
every list is compared with the server.

Usage: python -m offline TERTULIA CLIENT [--seconds N] [--clients N] [--seed N] [--early]
"""

import argparse
import asyncio
import contextlib
import os
import pathlib
import random
import sys
import tempfile
import time

import aiohttp

from storm.api import Refused, ask, sign_up
from storm.cluster import PostgreSQL, Replica

from .check import feed, list_faults, write_faults
from .device import Device
from .proxy import Proxy

os.environ |= {"PASSWORD_HASH_LOG_N": "10", "WRITES_PER_MINUTE": "0"}


class Run:
    def __init__(self, options):
        self.options = options
        self.generator = random.Random(options.seed)
        self.replacements = self.restarts = self.cuts = self.freezes = 0
        self.devices = []

    def say(self, text):
        print(f"  {time.monotonic() - self.began:6.1f} s  {text}", flush=True)

    async def begin(self):
        self.began = time.monotonic()
        self.database = await asyncio.to_thread(PostgreSQL)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tertulia-offline-"))
        migrate = await asyncio.create_subprocess_exec(
            self.options.tertulia, "migrate",
            env=os.environ | {"DATABASE_URL": self.database.url, "TERTULIA_HOME": str(self.database.home / "tertulia")},
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL)  # fmt: skip
        assert await migrate.wait() == 0
        self.replica = Replica(self.options.tertulia, self.database, 0)
        await self.replica.start()
        await self.until_ready()
        self.proxy = Proxy(self.replica.port, self.generator)
        await self.proxy.start()
        url = f"http://127.0.0.1:{self.proxy.port}/graphql"
        async with aiohttp.ClientSession() as session:
            for number in range(self.options.clients):
                _, token = await sign_up(session, self.replica.url, f"person{number}")
                viewer = await ask(session, self.replica.url, "{ viewer { user { username } } }", token)
                name = viewer["viewer"]["user"]["username"]
                (self.folder / name).mkdir()
                self.devices.append(
                    Device(self.options.client, url, self.folder / name, name, self.generator.getrandbits(48),
                           self.options.pace, ["early"] if self.options.early else []))  # fmt: skip
        for device in self.devices:
            await device.start()

    async def until_ready(self):
        async with aiohttp.ClientSession() as session:
            for _ in range(1200):
                if self.replica.process.returncode is not None:
                    await self.replica.start()
                with contextlib.suppress(OSError, aiohttp.ClientError):
                    async with session.get(self.replica.url.replace("graphql", "readyz")) as response:
                        if response.status == 200:
                            return
                await asyncio.sleep(0.05)
        raise RuntimeError(f"The server does not serve:\n{self.replica.log.read_text()[-3000:]}")

    # What fails

    async def kill_a_client(self):
        device = self.generator.choice(self.devices)
        await device.kill()
        await asyncio.sleep(self.generator.random() * 0.5)
        await device.start()

    async def kill_an_early_one(self, device):
        device.is_early.clear()
        await device.is_early.wait()
        await device.kill()

    async def kill_the_early_ones(self):
        """All at the last moment: a later change of the same object would bring it back."""
        async with asyncio.timeout(120):
            await asyncio.gather(*(self.kill_an_early_one(device) for device in self.devices))
        for device in self.devices:
            await device.start()

    async def cut(self):
        self.cuts += 1
        self.proxy.cut()

    async def lose_the_network(self):
        self.cuts += 1
        await self.proxy.fail(0.3 + 2 * self.generator.random())

    async def freeze(self):
        self.freezes += 1
        await self.proxy.freeze(0.3 + 2 * self.generator.random())

    async def slow(self):
        await self.proxy.slow(2, 0.1 + 0.4 * self.generator.random())

    async def replace_the_server(self):
        self.replacements += 1
        await (self.replica.drain() if self.generator.random() < 0.5 else self.replica.kill())
        await self.replica.start()
        await self.until_ready()

    async def restart_postgresql(self):
        self.restarts += 1
        await self.database.restart(self.generator.choice(["fast", "immediate"]))
        await self.until_ready()

    async def fail(self):
        kinds = [self.kill_a_client] * 6 + [self.cut] * 2 + [self.lose_the_network, self.freeze, self.slow]
        if self.options.early:
            kinds = [self.kill_a_client]
        ends = time.monotonic() + self.options.seconds
        # Each of the heavier ones comes about once in twelve seconds, and once at least.
        heavy = [] if self.options.early else [self.replace_the_server, self.restart_postgresql]
        while time.monotonic() < ends or heavy:
            await asyncio.sleep(0.2 + self.generator.random())
            if heavy and (self.generator.random() < 0.2 or time.monotonic() >= ends):
                await heavy.pop(0)()
            else:
                await self.generator.choice(kinds)()
            if not heavy and not self.options.early and self.generator.random() < 0.05:
                heavy = [self.generator.choice([self.replace_the_server, self.restart_postgresql])]
        if self.options.early:
            await self.kill_the_early_ones()

    # What must hold

    async def judge(self):
        for device in self.devices:
            await device.settle()
        async with aiohttp.ClientSession() as session:
            agree_by = time.monotonic() + 120
            quiet_since = time.monotonic()
            left = None
            while True:
                nodes = await feed(session, self.replica.url)
                # On a busy machine thousands of writes may be left. As long as they become fewer, there is time.
                waiting = sum(device.shown["waiting"] for device in self.devices if device.shown)
                if left is None or waiting < left:
                    left, agree_by = waiting, time.monotonic() + 120
                faults = [fault for device in self.devices for fault in list_faults(device, nodes)]
                # Lists that differ while all is quiet stay as they are: nothing is left to come.
                if not all(device.is_quiet for device in self.devices):
                    quiet_since = time.monotonic()
                if not faults or time.monotonic() > min(agree_by, quiet_since + 10):
                    break
                await asyncio.sleep(0.3)
        writes, judged = await write_faults(self.devices, self.database)
        return faults + writes, judged, len(nodes)

    async def end(self):
        for device in self.devices:
            if device.process and device.process.returncode is None:
                await device.kill()
                device.kills -= 1
        if hasattr(self, "proxy"):
            await self.proxy.stop()
        if hasattr(self, "replica"):
            await self.replica.stop()
        self.database.stop()
        for device in self.devices:
            device.remove()


async def main(options):
    print(f"seed {options.seed}", flush=True)
    run = Run(options)
    try:
        await run.begin()
        await run.fail()
        run.say("the network is whole")
        faults, judged, rows = await run.judge()
    finally:
        await run.end()
    kills = sum(device.kills for device in run.devices)
    print(f"{options.clients} clients, {kills} killed, {run.cuts} cuts, {run.freezes} freezes, {run.proxy.duplicates} requests "
          f"sent twice, {run.replacements} servers replaced, {run.restarts} restarts of PostgreSQL, {judged} writes, "
          f"{rows} rows")  # fmt: skip
    if options.early:
        if not any("lacks" in fault or "shows" in fault for fault in faults):
            sys.exit("The check did not see that cursors were stored before their rows.")
        print(f"Seen, as it should be: {faults[0]}")
        return
    for fault in faults[:20]:
        print(f"FAULT: {fault}")
    if faults:
        sys.exit(1)


parser = argparse.ArgumentParser(prog="scripts/test-offline.sh", description=__doc__.partition("\n")[0])
parser.add_argument("tertulia")
parser.add_argument("client")
parser.add_argument("--seconds", type=float, default=20)
parser.add_argument("--clients", type=int, default=4)
parser.add_argument("--pace", type=float, default=3, help="writes a second of each client")
parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
parser.add_argument("--early", action="store_true", help="cursors are stored before their rows, which the check must see")
asyncio.run(main(parser.parse_args()))
