"""A PostgreSQL cluster and several servers on it, which can be made to fail."""

import asyncio
import contextlib
import glob
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import aiohttp
from patience import DEADLINE, eventually_async
from ports import free_port

BINARIES = pathlib.Path(sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1])


class PostgreSQL:
    """Trusts whoever connects: it listens on this machine alone, for as long as the storm lasts."""

    def __init__(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="tertulia-storm-"))
        self.home.chmod(0o711)
        self.data = self.home / "postgres"
        self.port = free_port()
        # It refuses to run as root.
        self.become = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        self.data.mkdir()
        if self.become:
            shutil.chown(self.data, "postgres")
        self._run("initdb", "-A", "trust", "-U", "postgres", "-D", self.data)
        with open(self.data / "postgresql.conf", "a") as settings:
            settings.write(
                f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n"
                "max_connections = 200\nlog_min_messages = fatal\n"
            )
        self._control("start")
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def _run(self, program, *arguments):
        subprocess.run([*self.become, BINARIES / program, *arguments], check=True, stdout=subprocess.DEVNULL)

    def _control(self, action, *arguments):
        self._run("pg_ctl", action, "-w", "-t", str(DEADLINE), "-D", self.data, "-l", self.data / "log", *arguments)

    async def stop_at_once(self):
        """Without a checkpoint, as a crash does."""
        await asyncio.to_thread(self._control, "stop", "-m", "immediate")

    async def start(self):
        await asyncio.to_thread(self._control, "start")

    async def restart(self, mode):
        """`immediate` leaves it without a checkpoint, as a crash does."""
        await asyncio.to_thread(self._control, "restart", "-m", mode)

    async def execute(self, script, check=False):
        """Runs a script in one session; gives its output as it comes."""
        process = await asyncio.create_subprocess_exec(
            BINARIES / "psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", self.url,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)  # fmt: skip
        output, errors = await process.communicate(script.encode())
        if check and process.returncode:
            raise RuntimeError(errors.decode())
        return output.decode()

    def stop(self):
        with contextlib.suppress(subprocess.CalledProcessError):
            self._control("stop", "-m", "immediate")
        shutil.rmtree(self.home, ignore_errors=True)


class Replica:
    def __init__(self, executable, database, number):
        self.executable = executable
        self.database = database
        self.log = database.home / f"replica-{number}.log"
        self.port, self.metrics_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}/graphql"
        self.process = None
        self.is_down = True

    async def start(self):
        environment = os.environ | {
            "DATABASE_URL": self.database.url,
            "TERTULIA_HOME": str(self.database.home / "tertulia"),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "METRICS_PORT": str(self.metrics_port),
            "SHUTDOWN_DELAY": "0",
            # One issuer of tokens.
            "PUBLIC_URL": "http://storm.example",
            "WRITES_PER_MINUTE": "1000000",
            "SIGN_UPS_PER_MINUTE": "1000000",
            "ANONYMOUS_ACCOUNTS_PER_HOUR": "0",
            "SIGN_INS_PER_FIVE_MINUTES": "0",
            # Many sign in to one account at once.
            "FAILURES_BEFORE_BACK_OFF": "0",
        }
        with open(self.log, "a") as log:
            self.process = await asyncio.create_subprocess_exec(
                self.executable, "serve", env=environment, stdout=log, stderr=log
            )
        self.is_down = False

    async def readiness(self, session):
        """The HTTP status of /readyz; None where nobody answers."""
        try:
            async with session.get(self.url.replace("graphql", "readyz")) as response:
                return response.status
        except (OSError, aiohttp.ClientError):
            return None

    async def until_ready(self, session):
        async def is_ready():
            assert self.process.returncode is None, self.log.read_text()[-3000:]
            return await self.readiness(session) == 200

        await eventually_async(lambda: f"a server that is ready, of the log {self.log.read_text()[-3000:]}", is_ready)

    async def kill(self):
        self.is_down = True
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()

    async def drain(self):
        self.is_down = True
        self.process.send_signal(signal.SIGTERM)
        await self.process.wait()

    async def stop(self):
        if self.process and self.process.returncode is None:
            await self.kill()
