"""Three PostgreSQL nodes under Patroni, etcd on each of them, and two servers behind HAProxy, all on this machine.

Usage, as root: cluster.py TERTULIA DIRECTORY PATRONI. PATRONI is a folder with Patroni's modules. `start` calls it.
Each node is a network namespace with an address in the cluster's network and one in the clients' network, so that one of
them, or both, can be cut off.
"""

import contextlib
import glob
import json
import os
import pathlib
import secrets
import shutil
import signal
import string
import subprocess
import sys
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
BINARIES = pathlib.Path(sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1])
CLUSTER, CLIENTS = "10.77.1", "10.77.2"
AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"]


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **options).stdout


def wait_until(condition, what, seconds=600):
    """The first true value of the condition; AssertionError after so many seconds, which are many on a busy machine."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"In {seconds} s it did not come to this: {what}"
        time.sleep(0.1)
    return found


class Program:
    """A process that is started, ended, frozen, and started again with the same command."""

    def __init__(self, name, command, directory, environment=None):
        self.name, self.command = name, [str(part) for part in command]
        self.log = pathlib.Path(directory) / f"{name}.log"
        self.environment = environment or {}
        self.process = None

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def start(self):
        if self.is_running:
            return
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=os.environ | self.environment,
                start_new_session=True)

    def send(self, number):
        if self.is_running:
            self.process.send_signal(number)

    def kill(self):
        self.send(signal.SIGKILL)
        self.wait()

    def end(self, seconds=60):
        """In order; by force after so many seconds."""
        self.send(signal.SIGTERM)
        try:
            self.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()

    def wait(self, seconds=60):
        if self.process:
            self.process.wait(seconds)


class Node:
    def __init__(self, number, cluster):
        self.number, self.cluster, self.name = number, cluster, f"node{number}"
        self.address, self.client_address = f"{CLUSTER}.1{number}", f"{CLIENTS}.1{number}"
        self.directory = cluster.directory / self.name
        self.data = self.directory / "data"
        self.data.mkdir(parents=True)
        for folder in (self.directory, self.data):
            shutil.chown(folder, "postgres", "postgres")
        # Whoever reaches the socket in it is trusted to replicate.
        self.directory.chmod(0o700)
        self.links = {CLUSTER: f"tertulia-c{number}", CLIENTS: f"tertulia-d{number}"}
        # Its network namespace lasts as long as this process.
        self.holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"], start_new_session=True)
        self.enter = ["nsenter", f"--net=/proc/{self.holder.pid}/ns/net", "--"]
        wait_until(lambda: self.namespace != os.readlink("/proc/self/ns/net"), "a network namespace")
        for network, address in ((CLUSTER, self.address), (CLIENTS, self.client_address)):
            inside = "cluster" if network == CLUSTER else "clients"
            run("ip", "link", "add", self.links[network], "type", "veth", "peer", "name", inside, "netns", self.holder.pid)
            run("ip", "link", "set", self.links[network], "master", cluster.bridges[network], "up")
            run(*self.enter, "ip", "address", "add", f"{address}/24", "dev", inside)
            run(*self.enter, "ip", "link", "set", inside, "up")
        run(*self.enter, "ip", "link", "set", "lo", "up")
        self.etcd = Program("etcd", [*self.enter, *AS_POSTGRES, "etcd", *self.etcd_options()], self.directory)
        self.patroni = Program(
            "patroni", [*self.enter, *AS_POSTGRES, "/usr/bin/python3", "-m", "patroni", self.directory / "patroni.yml"],
            self.directory, {"PYTHONPATH": str(cluster.patroni), "PYTHONDONTWRITEBYTECODE": "1"})

    @property
    def namespace(self):
        with contextlib.suppress(OSError):
            return os.readlink(f"/proc/{self.holder.pid}/ns/net")
        return os.readlink("/proc/self/ns/net")

    def etcd_options(self):
        peers = ",".join(f"node{number}=http://{CLUSTER}.1{number}:2380" for number in (1, 2, 3))
        return [
            "--name", self.name, "--data-dir", self.directory / "etcd", "--initial-cluster", peers,
            "--initial-cluster-token", "tertulia", "--initial-cluster-state", "new", "--logger", "zap",
            "--listen-peer-urls", f"http://{self.address}:2380", "--initial-advertise-peer-urls", f"http://{self.address}:2380",
            "--listen-client-urls", f"http://{self.address}:2379", "--advertise-client-urls", f"http://{self.address}:2379",
            # Patroni does not delete old revisions.
            "--auto-compaction-mode", "periodic", "--auto-compaction-retention", "1h",
        ]  # fmt: skip

    def configure(self):
        values = self.cluster.passwords | {
            "NODE": self.name, "CLUSTER_ADDRESS": self.address, "BINARIES": BINARIES, "DIRECTORY": self.directory,
            "ETCD_HOSTS": ",".join(f"{CLUSTER}.1{number}:2379" for number in (1, 2, 3)),
            "CLUSTER_NETWORK": f"{CLUSTER}.0/24", "CLIENT_NETWORK": f"{CLIENTS}.0/24",
        }  # fmt: skip
        file = self.directory / "patroni.yml"
        file.touch(mode=0o600)
        file.write_text(string.Template((HERE / "patroni.yml").read_text()).substitute(values))
        shutil.chown(file, "postgres", "postgres")

    def start(self):
        self.etcd.start()
        self.patroni.start()

    def processes(self, *programs):
        """The ids of the node's processes of these programs, or of all but the namespace's holder."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if os.readlink(process / "ns/net") != self.namespace or int(process.name) == self.holder.pid:
                    continue
                command = (process / "cmdline").read_bytes().split(b"\0")
                name = (process / "comm").read_text().strip()
                if not programs or name in programs or "patroni" in programs and b"patroni" in command:
                    found.append(int(process.name))
        return found

    def signal(self, number, *programs):
        """Again where a process was forked meanwhile."""
        sent = set()
        while new := set(self.processes(*programs)) - sent:
            for process in new:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, number)
            sent |= new

    def kill(self, *programs):
        self.signal(signal.SIGKILL, *programs)

    def freeze(self, *programs):
        self.signal(signal.SIGSTOP, *programs)

    def thaw(self, *programs):
        self.signal(signal.SIGCONT, *programs)

    def cut(self, *networks):
        """From now on nothing passes, and nobody is told."""
        for network in networks:
            run("ip", "link", "set", self.links[network], "nomaster")

    def mend(self):
        for network, link in self.links.items():
            run("ip", "link", "set", link, "master", self.cluster.bridges[network])

    def end(self):
        """Standbys before the primary, or strict synchronous mode holds up its last transactions."""
        self.patroni.end()
        self.etcd.end()
        self.kill()
        self.holder.kill()
        self.holder.wait()


class Cluster:
    def __init__(self, executable, directory, patroni, port=8080, settings=None):
        self.executable, self.settings = executable, settings or {}
        self.directory, self.port = pathlib.Path(directory), port
        self.directory.mkdir(parents=True, exist_ok=True)
        self.directory.chmod(0o711)
        self.patroni = self.directory / "patroni"
        # Where the user postgres may read it.
        shutil.copytree(patroni, self.patroni, ignore=shutil.ignore_patterns("__pycache__"))
        self.passwords = {
            f"{role}_PASSWORD": secrets.token_hex(16) for role in ("SUPERUSER", "REPLICATION", "REWIND", "TERTULIA")}
        self.bridges = {CLUSTER: "tertulia-c", CLIENTS: "tertulia-d"}
        self.nodes, self.servers, self.proxy = [], [], None

    def start(self):
        for network, bridge in self.bridges.items():
            run("ip", "link", "add", bridge, "type", "bridge")
            run("ip", "address", "add", f"{network}.1/24", "dev", bridge)
            run("ip", "link", "set", bridge, "up")
        run("ip", "link", "set", "lo", "up")
        for number in (1, 2, 3):
            self.nodes.append(Node(number, self))
        self.prepare()
        for node in self.nodes:
            node.configure()
            node.start()
        wait_until(self.is_whole, "a primary with two standbys, one of them synchronous")
        self.sql("create database tertulia", "postgres")
        run(HERE.parent.parent / "scripts/login-role.sh", env=os.environ | {
            "TERTULIA_PASSWORD": self.passwords["TERTULIA_PASSWORD"], "PGHOST": self.leader().client_address,
            "PGUSER": "postgres", "PGPASSWORD": self.passwords["SUPERUSER_PASSWORD"], "PGDATABASE": "tertulia"})  # fmt: skip
        self.migrate(self.executable)
        for number in (1, 2):
            self.servers.append(self.server(number, self.executable))
            self.servers[-1].start()
        self.start_proxy()
        wait_until(self.is_served, "two servers that are ready, and a proxy before them")

    def prepare(self):
        """Called when the nodes' folders are there and empty."""

    def migrate(self, executable):
        return run(executable, "migrate", env=os.environ | {
            "DATABASE_URL": self.url("postgres"), "TERTULIA_HOME": str(self.directory / "tertulia")})  # fmt: skip

    def url(self, user="tertulia", database="tertulia"):
        """Of whichever node is the primary."""
        password = self.passwords["TERTULIA_PASSWORD" if user == "tertulia" else "SUPERUSER_PASSWORD"]
        hosts = ",".join(f"{node.client_address}:5432" for node in self.nodes)
        return f"postgresql://{user}:{password}@{hosts}/{database}?target_session_attrs=read-write"

    def server(self, number, executable):
        settings = {
            "DATABASE_URL": self.url(), "TERTULIA_HOME": str(self.directory / "tertulia"), "HOST": "127.0.0.1",
            "PORT": str(self.port + number), "METRICS_PORT": str(self.port + 10 + number), "TRUSTED_PROXIES": "1",
            "PUBLIC_URL": f"http://127.0.0.1:{self.port}", "SHUTDOWN_DELAY": "5",
        }  # fmt: skip
        return Program(f"tertulia{number}", [executable, "serve"], self.directory, settings | self.settings)

    def is_served(self):
        ports = [self.port, *(server.environment["PORT"] for server in self.servers)]
        with contextlib.suppress(OSError):
            return all(
                urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2).read().strip() == b"ready" for port in ports)
        return False

    def start_proxy(self):
        values = {"BIND": f"127.0.0.1:{self.port}", "FIRST": f"127.0.0.1:{self.port + 1}",
                  "SECOND": f"127.0.0.1:{self.port + 2}"}  # fmt: skip
        file = self.directory / "haproxy.cfg"
        file.write_text(string.Template((HERE / "haproxy.cfg").read_text()).substitute(values))
        self.proxy = Program("haproxy", ["haproxy", "-W", "-db", "-f", file], self.directory)
        self.proxy.start()

    def members(self):
        """What Patroni says of the nodes: by name its role, state and lag. Nothing where none answers."""
        for node in self.nodes:
            with contextlib.suppress(OSError, ValueError, KeyError):
                with urllib.request.urlopen(f"http://{node.address}:8008/cluster", timeout=2) as answer:
                    return {member["name"]: member for member in json.load(answer)["members"]}
        return {}

    def leader(self):
        """The node whose own Patroni says that it is the primary."""
        for node in self.nodes:
            with contextlib.suppress(OSError):
                with urllib.request.urlopen(f"http://{node.address}:8008/primary", timeout=2) as answer:
                    if answer.status == 200:
                        return node
        return None

    def standbys(self):
        leader = self.leader()
        return [node for node in self.nodes if node is not leader]

    def is_whole(self):
        """Whether there are a primary and two standbys that stream from it, one of them synchronous."""
        roles = sorted(
            (member["role"], member["state"]) for member in self.members().values() if member["state"] in ("running", "streaming"))
        if roles != [("leader", "running"), ("replica", "streaming"), ("sync_standby", "streaming")]:
            return False
        with contextlib.suppress(subprocess.CalledProcessError, AttributeError):
            # Patroni may name a node for a while that streams no more.
            streams = "count(*) filter (where state = 'streaming'), count(*) filter (where sync_state = 'sync')"
            return self.sql(f"select {streams} from pg_stat_replication", "postgres") == "2\t1"
        return False

    def switch_over(self):
        """The primary hands over to its synchronous standby."""
        leader = self.leader()
        candidate = next(name for name, member in self.members().items() if member["role"] == "sync_standby")
        body = json.dumps({"leader": leader.name, "candidate": candidate}).encode()
        request = urllib.request.Request(f"http://{leader.address}:8008/switchover", body, method="POST")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode()

    def sql(self, text, database="tertulia", node=None):
        """Run by the administrator on the primary, or on a node; rows as lines, columns parted by tabulators."""
        host = (node or self.leader()).client_address
        return run(
            BINARIES / "psql", "-XAtq", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", host, "-U", "postgres", "-d", database,
            input=text, env=os.environ | {"PGPASSWORD": self.passwords["SUPERUSER_PASSWORD"], "PGCONNECT_TIMEOUT": "5"},
        ).rstrip("\n")  # fmt: skip

    def end(self):
        for program in [self.proxy, *self.servers]:
            if program:
                program.end()
        with contextlib.suppress(Exception):
            self.nodes.sort(key=lambda node: node is self.leader())
        for node in self.nodes:
            node.end()
        for bridge in self.bridges.values():
            with contextlib.suppress(subprocess.CalledProcessError):
                run("ip", "link", "delete", bridge)


def main(executable, directory, patroni):
    cluster = Cluster(executable, directory, patroni)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        cluster.start()
        print(f"Tertulia serves http://127.0.0.1:{cluster.port}/graphql; the primary is {cluster.leader().name}.\n"
              f"Logs and configuration: {directory}. Its state: curl -s http://{CLUSTER}.11:8008/cluster\n"
              "SIGTERM or Control-C ends all of it.", flush=True)  # fmt: skip
        signal.pause()
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        cluster.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
