"""Imports of made Firebase exports: imports.py EXECUTABLE [USERS DOCUMENTS [SEED]].

For each of the five kinds of apps: a dry run, an import that is killed in the middle of the accounts, one that is killed
in the middle of the objects, one that ends, and one more. What is in the database and what the report says is compared
with what the data are made of; the counters are audited, and nobody may have been notified. Then people sign in with
their old passwords.
"""

import asyncio
import collections
import json
import pathlib
import re
import shutil
import sys
import tempfile
import time

import aiohttp
from firebase.data import Data
from patience import eventually_async
from storm.api import ask_until_available
from storm.cluster import PostgreSQL, Replica

APPS = ["rndm", "posts", "socials", "practica", "reswift"]
SIGN_IN = """mutation ($login: String!, $password: String!) {
  signIn(input: {login: $login, password: $password}) { viewer { email } userErrors { code } }
}"""
COUNTS = {
    "users": "users", "thoughts": "thoughts", "events": "events", "comments": "comments", "likes": "thought_likes",
    "rsvps": "event_rsvps", "images": "images",
}  # fmt: skip


class App:
    """One app's data and a database for it."""

    def __init__(self, name, executable, server, folder, users, documents, seed):
        self.name, self.executable, self.server, self.folder = name, executable, server, folder / name
        self.folder.mkdir()
        self.data = Data(name, self.folder, users, documents, seed)
        self.url = server.url.removesuffix("postgres") + f"app_{name}"

    async def start(self, *arguments):
        return await asyncio.create_subprocess_exec(
            self.executable, *arguments, "--database-url", self.url, "--log-level", "error", cwd=self.folder,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)  # fmt: skip

    async def run(self, *arguments):
        process = await self.start(*arguments)
        output, _ = await process.communicate()
        assert process.returncode == 0, f"{arguments}: {output.decode()}"
        return output.decode()

    def importing(self):
        return [
            "import", "firebase", "--mapping", self.name, "--users", "users.json", "--hash-parameters", "hash.txt",
            "--storage", "storage", "--source", self.name, "--report", "report.jsonl", *self.data.arguments,
        ]  # fmt: skip

    async def query(self, sql):
        """The lines of the answer."""
        process = await asyncio.create_subprocess_exec(
            "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", self.url, "-c", sql, stdout=asyncio.subprocess.PIPE)  # fmt: skip
        output, _ = await process.communicate()
        assert process.returncode == 0, sql
        return output.decode().splitlines()

    async def kill_at(self, kind, old_id):
        """Kills an import while it waits to write the object with this old id."""
        holder = await asyncio.create_subprocess_exec(
            "psql", "-XAtq", self.url, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)  # fmt: skip
        holder.stdin.write(
            f"begin; insert into imported_objects values ('{self.name}', '{kind}', '{old_id}', gen_random_uuid());"
            " select 'held';\n".encode())  # fmt: skip
        assert await holder.stdout.readline() == b"held\n"
        process = await self.start(*self.importing())
        waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into imported%'"

        async def is_waiting():
            assert process.returncode is None, (await process.stdout.read()).decode()
            return await self.query(waiting)

        await eventually_async("an import that waits for the lock", is_waiting)
        process.kill()
        await process.wait()
        holder.stdin.write(b"rollback;\n")
        holder.stdin.close()
        await holder.wait()
        return int((await self.query("select count(*) from imported_objects"))[0])

    def check_report(self):
        found = collections.Counter()
        for line in (self.folder / "report.jsonl").read_text().splitlines():
            problem = json.loads(line)
            assert problem["path"], line
            found[problem["effect"], re.sub(r"at byte \d+", "at byte N", problem["reason"])] += 1
        expected = +self.data.problems
        assert found == expected, f"{self.name}: more {found - expected}, missing {expected - found}"

    async def check_database(self):
        for name, table in COUNTS.items():
            count = int((await self.query(f"select count(*) from {table}"))[0])
            assert count == self.data.counts[name], f"{self.name}: {count} {name} for {self.data.counts[name]}"
        audit = await self.run("counters", "audit")
        assert " 0 counters differed" in audit, audit
        silent = "select (select count(*) from outbox) + (select count(*) from mails) + (select count(*) from activity_marks)"
        assert await self.query(silent) == ["0"]
        written = "select write_notifications(1000)"

        async def is_through():
            return await self.query(written) == ["0"]

        await eventually_async("the end of the notifications", is_through)
        assert await self.query("select count(*) from notifications") == ["0"]

    async def go(self):
        await self.server.execute(f"create database app_{self.name}", check=True)
        await self.run("migrate")
        await self.run(*self.importing(), "--dry-run")
        self.check_report()
        assert await self.query("select count(*) from users") == ["0"]
        accounts, objects = self.data.accounts, self.data.objects
        first = await self.kill_at("user", accounts[len(accounts) // 2])
        second = await self.kill_at(*objects[len(objects) // 2])
        assert 0 <= first < len(accounts) <= second < len(accounts) + len(objects), (first, second)
        start = time.monotonic()
        await self.run(*self.importing())
        seconds = time.monotonic() - start
        self.check_report()
        await self.check_database()
        again = await self.run(*self.importing())
        self.check_report()
        await self.check_database()
        assert all(" 0 written" in line for line in again.splitlines() if " there already" in line and "profiles" not in line), again
        print(f"{self.name}: {self.data.documents} documents, killed with {first} and {second} objects written, "
              f"then completed in {seconds:.1f} s")  # fmt: skip

    async def measure(self):
        """An import without interruption, into a database of its own."""
        await self.server.execute(f"create database fresh_{self.name}", check=True)
        self.url = self.server.url.removesuffix("postgres") + f"fresh_{self.name}"
        await self.run("migrate")
        start = time.monotonic()
        await self.run(*self.importing())
        seconds = time.monotonic() - start
        total = self.data.documents + len(self.data.accounts)
        print(f"{self.name}: {self.data.documents} documents and {len(self.data.accounts)} accounts in {seconds:.1f} s, "
              f"{60 * self.data.documents / seconds:.0f} documents a minute")  # fmt: skip
        return total

    async def sign_in(self):
        """With old passwords, on a server; each hash is of this server's kind afterwards."""

        async def scheme(email):
            hashes = f"select split_part(password_hash, '$', 2) from credentials where email = '{email}'"
            return (await self.query(hashes))[0]

        database = PostgreSQLDatabase(self.server, self.url)
        replica = Replica(self.executable, database, 0)
        await replica.start()
        async with aiohttp.ClientSession() as session:
            await replica.until_ready(session)

            async def attempt(email, password):
                data = await ask_until_available(session, replica.url, SIGN_IN, login=email, password=password)
                answer = data["signIn"]
                return answer["viewer"] and answer["viewer"]["email"], [one["code"] for one in answer["userErrors"]]

            for email, password in self.data.sign_ins[:4]:
                assert await scheme(email) == "firebase-scrypt"
                assert await attempt(email, password + "!") == (None, ["WRONG_CREDENTIALS"])
                assert await scheme(email) == "firebase-scrypt"
                for _ in range(2):
                    assert await attempt(email, password) == (email, [])
                    assert await scheme(email) == "scrypt"
            for email in self.data.resets[:1]:
                assert await scheme(email) == "none"
                assert await attempt(email, "") != (email, [])
                assert await attempt(email, "old password 1") == (None, ["WRONG_CREDENTIALS"])
        await replica.drain()
        print(f"{self.name}: {len(self.data.sign_ins[:4])} people signed in with their old passwords")


class PostgreSQLDatabase:
    """One database of a cluster, as a replica wants it."""

    def __init__(self, server, url):
        self.home, self.url = server.home, url


async def main():
    executable = pathlib.Path(sys.argv[1]).resolve()
    users, documents, seed = [int(text) for text in sys.argv[2:5]] + [120, 1_500, 1][len(sys.argv) - 2 :]
    server = PostgreSQL()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tertulia-imports-"))
    try:
        for name in APPS:
            app = App(name, executable, server, folder, users, documents, seed)
            await app.go()
            if len(sys.argv) > 2: await app.measure()
            if name == "rndm": await app.sign_in()
    finally:
        server.stop()
        shutil.rmtree(folder)


asyncio.run(main())
