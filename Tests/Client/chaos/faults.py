"""What is broken on purpose. Each fault says what is promised, and gives how long the promise allows writes and reads to
be away, in seconds of a machine that is not short of time."""

import asyncio
import contextlib
import dataclasses
import subprocess
import typing

from cluster import CLIENTS, CLUSTER


@dataclasses.dataclass(frozen=True)
class Fault:
    name: str
    says: str
    promised: str
    act: typing.Callable
    # Whether it is done within a few seconds.
    is_short: bool = False


async def to_thread(function, *arguments):
    return await asyncio.to_thread(function, *arguments)


async def kill_primary(storm, cluster):
    await to_thread(cluster.leader().kill, "postgres")


async def lose_primary_machine(storm, cluster):
    node = cluster.leader()
    await to_thread(node.kill)
    await asyncio.sleep(30)
    await to_thread(node.start)


async def freeze_primary(storm, cluster):
    node = cluster.leader()
    await to_thread(node.freeze)
    await asyncio.sleep(30)
    await to_thread(node.thaw)


async def cut_primary_off(storm, cluster):
    """From the other nodes and from etcd's majority; its clients still reach it."""
    node = cluster.leader()
    await to_thread(node.cut, CLUSTER)
    await asyncio.sleep(30)
    await to_thread(node.mend)


async def cut_machine_off(storm, cluster):
    node = cluster.leader()
    await to_thread(node.cut, CLUSTER, CLIENTS)
    await asyncio.sleep(30)
    await to_thread(node.mend)


async def fill_disk(storm, cluster):
    """The primary's data is on a file system of limited size."""
    node = cluster.leader()
    ballast = node.data / "ballast"

    def fill():
        with contextlib.suppress(OSError), open(ballast, "wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 20))

    await to_thread(fill)
    await asyncio.sleep(20)
    await to_thread(ballast.unlink)


async def lose_standbys(storm, cluster):
    nodes = await to_thread(cluster.standbys)
    for node in nodes:
        await to_thread(node.freeze, "patroni", "postgres")
    await asyncio.sleep(15)
    for node in nodes:
        await to_thread(node.thaw, "patroni", "postgres")


async def stop_etcd(storm, cluster):
    for node in cluster.nodes:
        await to_thread(node.etcd.kill)
    await asyncio.sleep(60)
    for node in cluster.nodes:
        node.etcd.start()


async def freeze_patroni(storm, cluster):
    node = cluster.leader()
    await to_thread(node.freeze, "patroni")
    await asyncio.sleep(30)
    await to_thread(node.thaw, "patroni")


async def kill_server(storm, cluster):
    server = storm.generator.choice(cluster.servers)
    await to_thread(server.kill)
    await asyncio.sleep(2)
    server.start()


async def restart_everything(storm, cluster):
    """One thing after the other: etcd, standbys, the primary after it has handed over, servers, the proxy."""
    for node in cluster.nodes:
        await to_thread(node.etcd.end)
        node.etcd.start()
        await asyncio.sleep(2)
    await whole(cluster)
    for node in cluster.standbys():
        await to_thread(node.patroni.end)
        node.patroni.start()
        await whole(cluster)
    old = cluster.leader()
    await to_thread(cluster.switch_over)
    await whole(cluster)
    await to_thread(old.patroni.end)
    old.patroni.start()
    await whole(cluster)
    await replace_servers(cluster, cluster.executable)
    # A new worker; the old one ends when its connections do.
    cluster.proxy.send(12)
    await asyncio.sleep(2)


async def replace_servers(cluster, executable):
    for server in cluster.servers:
        await to_thread(server.end)
        server.command[0] = executable
        server.start()
        await until(cluster.is_served, "the servers serve")


async def upgrade_and_go_back(storm, cluster):
    """The newer executable migrates, servers are replaced one by one, and put back on the newer schema."""
    applied = await to_thread(cluster.migrate, storm.newer)
    storm.say(f"migrated: {applied.strip().splitlines()[-1] if applied.strip() else 'nothing new'}")
    await replace_servers(cluster, storm.newer)
    await asyncio.sleep(5)
    await replace_servers(cluster, cluster.executable)


async def until(condition, what, seconds=600):
    deadline = asyncio.get_running_loop().time() + seconds
    while not await to_thread(is_so, condition):
        assert asyncio.get_running_loop().time() < deadline, f"In {seconds} s it did not come to this: {what}"
        await asyncio.sleep(0.2)


def is_so(condition):
    try:
        return condition()
    except (subprocess.CalledProcessError, OSError, AttributeError):
        return False


async def whole(cluster):
    await until(cluster.is_whole, "a primary with two standbys, one of them synchronous")


FAULTS = [
    Fault("kill", "SIGKILL of the primary's PostgreSQL", "the synchronous standby takes over within seconds",
          kill_primary, is_short=True),
    Fault("server", "SIGKILL of one of the two servers, back after 2 s",
          "the proxy's other server answers; sockets resume there", kill_server, is_short=True),
    Fault("standbys", "both standbys frozen for 15 s",
          "writes are refused and not acknowledged, reads go on", lose_standbys, is_short=True),
    Fault("machine", "the primary's machine lost for 30 s (PostgreSQL, Patroni, etcd)",
          "a standby takes over when the lease ends, 20 s", lose_primary_machine),
    Fault("freeze", "the primary's machine frozen for 30 s and thawed",
          "a standby takes over when the lease ends, 20 s; the thawed one acknowledges nothing", freeze_primary),
    Fault("cut", "the primary cut off from the other nodes for 30 s, not from its clients",
          "it acknowledges nothing, steps down, and a standby takes over when the lease ends, 20 s", cut_primary_off),
    Fault("isolate", "the primary's machine cut off from everything for 30 s",
          "a standby takes over when the lease ends, 20 s", cut_machine_off),
    Fault("disk", "the primary's disk full for 20 s",
          "nothing acknowledged is lost; writes come back by themselves", fill_disk),
    Fault("etcd", "etcd away for 60 s on all nodes", "the primary stays primary: no gap", stop_etcd),
    Fault("patroni", "the primary's Patroni alone frozen for 30 s",
          "two primaries for a while, of which only the new one acknowledges", freeze_patroni),
    Fault("restart", "rolling restart of etcd, PostgreSQL, servers and proxy", "one switch-over, otherwise no gap",
          restart_everything),
    Fault("upgrade", "rolling upgrade over a migration, and back to the older executable", "no gap", upgrade_and_go_back),
]  # fmt: skip
