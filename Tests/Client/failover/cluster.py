"""A primary, its asynchronous standbys, and what can become of them."""

import contextlib
import pathlib
import shutil
import subprocess
import types

from patience import eventually
from ports import free_port
from storm.cluster import BINARIES, PostgreSQL


class Server(PostgreSQL):
    """One of several that a list of hosts names; the one that takes writes is the primary."""

    def start(self):
        self._control("start")

    def stop_at_once(self):
        """As a crash does."""
        self._control("stop", "-m", "immediate")

    def end(self):
        """If it runs."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop_at_once()

    def stop_in_order(self):
        self._control("stop", "-m", "fast")

    def copy(self, source, target):
        shutil.rmtree(target, ignore_errors=True)
        subprocess.run(["cp", "-a", source, target], check=True)

    def save(self):
        """What a backup of the stopped server's folder holds."""
        self.stop_in_order()
        self.copy(self.data, f"{self.data}.saved")
        self.start()

    def copy_back(self):
        self.stop_in_order()
        self.copy(f"{self.data}.saved", self.data)
        self.start()

    def save_before_a_point(self):
        """A backup, and a place after it that the log can be replayed to."""
        self.save()
        self.sql("select pg_create_restore_point('the_point')")

    def restore_to_the_point(self):
        """From the backup and the log that was written since, as an archive has it."""
        self.stop_in_order()
        self.copy(self.data, f"{self.data}.archive")
        self.copy(f"{self.data}.saved", self.data)
        with open(self.data / "postgresql.auto.conf", "a") as settings:
            settings.write(f"restore_command = 'cp {self.data}.archive/pg_wal/%f %p'\n"
                           "recovery_target_name = 'the_point'\nrecovery_target_action = 'promote'\n")
        (self.data / "recovery.signal").touch()
        self.start()
        self.wait_for("select pg_is_in_recovery()", "f")

    def standby(self):
        """Streams from this server, which does not wait for it."""
        other = Server.__new__(Server)
        other.home, other.become = self.home, self.become
        other.port = free_port()
        other.data = self.home / f"standby-{other.port}"
        other.data.mkdir(mode=0o700)
        if other.become:
            shutil.chown(other.data, "postgres")
        other.url = f"postgres://postgres@127.0.0.1:{other.port}/postgres"
        self._run(
            "pg_basebackup", "--write-recovery-conf", "--checkpoint=fast", "-D", other.data, "-d", self.url)
        with open(other.data / "postgresql.auto.conf", "a") as settings:
            settings.write(f"port = {other.port}\n")
        other.start()
        return other

    def sql(self, text):
        command = [BINARIES / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", self.url, "-c", text]
        result = subprocess.run(command, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return result.stdout.strip()

    def wait_for(self, text, expected):
        eventually(f"{text}: {expected}", lambda: self.sql(text) == expected)

    def catch_up(self, primary):
        end = primary.sql("select pg_current_wal_lsn()")
        self.wait_for(f"select pg_last_wal_replay_lsn() >= '{end}'", "t")

    def fall_behind(self):
        """From now on it gets nothing of what its primary writes."""
        self.sql("alter system set primary_conninfo = ''")
        self.sql("select pg_reload_conf()")
        self.wait_for("select count(*) from pg_stat_wal_receiver", "0")

    def promote(self):
        self._control("promote")

    @property
    def timeline(self):
        return int(self.sql("select pg_walfile_name(pg_current_wal_lsn())")[:8], 16)

    def epoch(self):
        return self.sql("select epoch || '/' || timeline from change_log_epoch")


def hosts(servers):
    """What the API servers are given: whoever of these takes writes."""
    names = ",".join(f"127.0.0.1:{server.port}" for server in servers)
    url = f"postgres://postgres@{names}/postgres"
    return types.SimpleNamespace(url=url, home=pathlib.Path(servers[0].home))
