"""Recovery to a point in time by pgBackRest, as deploy/backup describes: restore.py TERTULIA DIRECTORY CONFIGURATION.

CONFIGURATION is the folder of the files' templates. A database with images is backed up and archived, goes on, and
somebody deletes what should have stayed. Then the machine is lost: data, keys and all. Restored is the moment before the
mistake; everything that could be asked for then answers as it did, images and sessions too.
"""

import os
import pathlib
import secrets
import shutil
import string
import subprocess
import sys
import time

import backup
import images
from patience import eventually
from storm.cluster import PostgreSQL

READ = "{ thoughts(first: 50) { nodes { id text likeCount commentCount image { id url byteSize } } } events(first: 5) { nodes { id name goingCount } } }"


class Archived(PostgreSQL):
    """A PostgreSQL whose log goes to a repository beside its data."""

    def __init__(self, templates):
        super().__init__()
        self.home.joinpath("backup").mkdir()
        if self.become:
            shutil.chown(self.home, "postgres")
            shutil.chown(self.home / "backup", "postgres")
        self.configuration = self.home / "pgbackrest.conf"
        folder = self.home / "backup"
        values = {
            "REPOSITORY": folder / "repository", "REPOSITORY_KEY": secrets.token_hex(32), "LOG": folder / "log",
            "LOCKS": folder / "locks", "DATA": self.data, "PORT": self.port, "SOCKET": folder,
            "CONFIGURATION": self.configuration,
        }  # fmt: skip
        text = string.Template((templates / "pgbackrest.conf").read_text()).substitute(values)
        self.configuration.touch(mode=0o600)
        self.configuration.write_text(text)
        if self.become:
            shutil.chown(self.configuration, "postgres")
        settings = string.Template((templates / "postgresql.conf").read_text()).substitute(values)
        with open(self.data / "postgresql.conf", "a") as file:
            file.write(f"unix_socket_directories = '{folder}'\n{settings}")
        self._control("restart")

    def pgbackrest(self, *arguments):
        command = [*self.become, "pgbackrest", f"--config={self.configuration}", "--stanza=tertulia", *arguments]
        result = subprocess.run(command, capture_output=True, text=True, cwd="/")
        assert result.returncode == 0, f"pgbackrest {arguments}: {result.stdout}{result.stderr}"
        return result.stdout

    def archived_to_the_end(self):
        """What is written up to now is in the repository."""
        last = backup.sql(self.url, "select pg_walfile_name(pg_switch_wal())")
        archived = "select last_archived_wal from pg_stat_archiver"
        eventually(f"{last} in the archive", lambda: backup.sql(self.url, archived) >= last)

    def lose_data(self):
        self._control("stop", "-m", "immediate")
        shutil.rmtree(self.data)

    def restore(self, target):
        subprocess.run([*self.become, "install", "-d", "-m", "700", self.data], check=True)
        self.pgbackrest("--type=time", f"--target={target}", "--target-action=promote", "restore")
        self._control("start")
        eventually("the end of the recovery", lambda: backup.sql(self.url, "select pg_is_in_recovery()") == "f")


def everything(server, token):
    """What the API says, and each image byte by byte."""
    data = server.do(READ, token=token)
    pictures = {}
    for thought in data["thoughts"]["nodes"]:
        if image := thought["image"]:
            status, _, body = images.Server(server.url).get(image.pop("url"))
            assert status == 200, image
            pictures[image["id"]] = body
    return data, pictures


def post_with_image(server, token, width):
    status, answer = images.Server(server.url).upload(images.CREATE, images.png(width), token, variables={"status": "PUBLISHED"})
    assert status == 200 and not answer["data"]["createThought"]["userErrors"], answer


def main(program, directory, templates):
    database = Archived(pathlib.Path(templates))
    try:
        home = f"{directory}/home"
        keep = pathlib.Path(directory) / "kept-apart"
        settings = {"DATABASE_URL": database.url, "PASSWORD_HASH_LOG_N": "10", "METRICS_PORT": "0"}
        environment = os.environ | settings | {"TERTULIA_HOME": home}
        migrate = subprocess.run([program, "migrate"], env=environment, capture_output=True, text=True)
        assert migrate.returncode == 0, migrate
        database.pgbackrest("stanza-create")
        database.pgbackrest("check")

        server = backup.Server(program, home, **settings)
        people = backup.fill(server)
        (name, token), *_ = people
        post_with_image(server, token, 16)
        database.pgbackrest("--type=full", "backup")
        keep.mkdir()
        shutil.copy(f"{home}/keys.json", keep)
        # Only the archive has what comes from here on.
        post_with_image(server, token, 24)
        expected, pictures = everything(server, token)
        assert len(pictures) == 2, expected
        cursor = server.do("{ changeCursor }")["changeCursor"]
        # pgBackRest counts a backup's end in whole seconds, and takes only one that ended in an earlier second.
        target = backup.sql(database.url, "select pg_sleep(1.1); select clock_timestamp()").strip()
        time.sleep(1)

        server.do(
            "mutation ($input: DeleteAccountInput!) { deleteAccount(input: $input) { userErrors { message } } }",
            {"input": {"password": backup.PASSWORD}}, token)
        assert everything(server, people[1][1])[0] != expected
        database.archived_to_the_end()
        server.process.kill()
        server.process.wait()
        database.lose_data()
        shutil.rmtree(home)

        began = time.monotonic()
        database.restore(target)
        os.mkdir(home)
        shutil.copy(keep / "keys.json", home)
        server = backup.Server(program, home, **settings)
        took = time.monotonic() - began
        found = everything(server, token)
        assert found == (expected, pictures), (found[0], expected)
        viewer = server.do("{ viewer { user { username } } }", token=token)
        assert viewer["viewer"]["user"]["username"] == name, viewer
        assert backup.code_of(backup.changes(server, cursor)) == "CURSOR_EXPIRED"
        post_with_image(server, token, 32)
        assert len(everything(server, token)[1]) == 3
        audit = subprocess.run([program, "counters", "audit"], env=environment, capture_output=True, text=True)
        assert audit.returncode == 0, audit
        # The timeline that begins with the restore is archived, too, and can be backed up.
        database.archived_to_the_end()
        database.pgbackrest("--type=full", "backup")
        database.pgbackrest("verify")
        server.stop()
    finally:
        database.stop()
    print(f"Restored to {target} in {took:.1f} s: {len(pictures)} images, sessions and lists are as they were then, "
          "the deletion after it is undone, and writes go on.")  # fmt: skip


main(*sys.argv[1:])
