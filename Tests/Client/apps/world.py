"""A server on a database of its own, and apps that talk to it."""

import asyncio
import contextlib
import os
import pathlib
import shutil
import tempfile

import aiohttp

from images import png
from storm.api import ask
from storm.cluster import PostgreSQL, Replica

from .instance import PATIENCE, Instance

PASSWORD = "a long quiet evening"


class World:
    def __init__(self, products, app):
        self.products, self.app = products, app
        self.instances = []

    async def __aenter__(self):
        self.database = await asyncio.to_thread(PostgreSQL)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"tertulia-{self.app}-"))
        self.replica = Replica(self.products / "tertulia", self.database, 0)
        migrate = await asyncio.create_subprocess_exec(
            self.products / "tertulia", "migrate",
            env=os.environ | {"DATABASE_URL": self.database.url, "TERTULIA_HOME": str(self.home)},
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL)  # fmt: skip
        assert await migrate.wait() == 0
        self.session = aiohttp.ClientSession()
        await self.start_server()
        return self

    async def __aexit__(self, *_):
        for instance in self.instances:
            if instance.process.returncode is None:
                await instance.kill()
        await self.session.close()
        await self.replica.stop()
        self.database.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def home(self):
        return self.database.home / "tertulia"

    async def start_server(self):
        await self.replica.start()
        async with asyncio.timeout(PATIENCE):
            while True:
                with contextlib.suppress(OSError, aiohttp.ClientError):
                    async with self.session.get(self.replica.url.replace("graphql", "readyz")) as response:
                        if response.status == 200:
                            return
                if self.replica.process.returncode is not None:
                    raise RuntimeError(self.replica.log.read_text()[-3000:])
                await asyncio.sleep(0.05)

    async def stop_server(self):
        print("— the server is stopped —", flush=True)
        await self.replica.drain()

    async def resume_server(self):
        await self.start_server()
        print("— the server is back —", flush=True)

    async def instance(self, name):
        """One more device with the app."""
        instance = Instance(self.products / self.app, self.replica.url, self.folder / name, name)
        self.instances.append(instance)
        await instance.start()
        return instance

    async def sign_up(self, name):
        """An account that was there before."""
        await self.ask(
            "mutation ($input: SignUpInput!) { signUp(input: $input) { userErrors { message } } }",
            input={"username": name, "email": f"{name}@example.org", "password": PASSWORD})  # fmt: skip

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def picture(self, name, width, height, size=None):
        return self.file(name, png(width, height, size=size))

    async def ask(self, text, **variables):
        """What the server has, as a stranger sees it."""
        return await ask(self.session, self.replica.url, text, **variables)

    async def count(self, query):
        """A number that the database has."""
        return int(await self.database.execute(query, check=True))
