"""What clients did and show, compared with what the server has."""

from storm.api import ask, node_id

FEED = """query ($after: String) { feed(first: 100, after: $after) {
  nodes { id ... on Thought { text likeCount } } pageInfo { hasNextPage endCursor } } }"""


async def feed(session, url):
    nodes, after = [], None
    while True:
        page = (await ask(session, url, FEED, after=after))["feed"]
        nodes += page["nodes"]
        if not page["pageInfo"]["hasNextPage"]:
            return nodes
        after = page["pageInfo"]["endCursor"]


def list_faults(device, nodes):
    """Members, order, texts and counters."""
    if not device.is_quiet:
        return [f"{device.name} is not quiet: {str(device.shown)[-300:]} {device.problem}"]
    shown = list(zip(device.shown["rows"], device.shown["texts"], device.shown["likes"]))
    there = [(node["id"], node["text"], node["likeCount"]) for node in nodes]
    if shown == there:
        return []
    missing, more = [row for row in there if row not in shown], [row for row in shown if row not in there]
    what = f"lacks {missing[:3]}, shows {more[:3]}" if missing or more else "has another order"
    return [f"{device.name} shows {len(shown)} rows of {len(there)}: it {what}"]


async def write_faults(devices, database):
    """Every queued write is there once, or listed as refused."""
    rows = await database.execute("select t.text, count(*) from thoughts t group by 1", check=True)
    counts = {text: int(count) for text, count in (line.split("\t") for line in rows.splitlines())}
    rows = await database.execute(
        "select u.username, l.thought_id from thought_likes l join users u on u.id = l.user_id", check=True)  # fmt: skip
    likes = {(name, node_id("thought", thought)) for name, thought in (line.split("\t") for line in rows.splitlines())}
    rows = await database.execute("select id from thoughts", check=True)
    alive = {node_id("thought", line) for line in rows.splitlines()}
    faults, judged = [], 0
    known = {said["text"] for device in devices for said in device.about if said["will"] == "create"}
    faults += [f"{text!r} is there {count} times" for text, count in counts.items() if count > 1]
    faults += [f"{text!r} was written by nobody" for text in counts if text not in known]
    for device in devices:
        left = set(device.shown["left"]) if device.shown else set()
        deleting = {said["text"] for said in device.about if said["will"] == "delete"}
        for said in device.queued:
            if said["entry"] in left:
                continue
            judged += 1
            if said["queued"] == "create" and said["text"] not in deleting and said["text"] not in counts:
                faults.append(f"{device.name}: {said['text']!r} is lost")
            if said["queued"] == "delete" and said["text"] in counts:
                faults.append(f"{device.name}: {said['text']!r} was not deleted")
        # The last of several likes and unlikes of a thought decides, since they are sent in their order.
        last = {}
        for said in device.about:
            if said["will"] in ("like", "unlike"):
                last[said["thought"]] = (said["will"], len(last))
        done = {said["thought"]: said for said in device.queued if said["queued"] in ("like", "unlike")}
        for thought, (will, _) in last.items():
            said = done.get(thought)
            # A process that was killed between the two lines may have queued the last one or not.
            count = sum(1 for one in device.about if one.get("thought") == thought)
            if not said or said["entry"] in left or thought not in alive \
                    or count != sum(1 for one in device.queued if one.get("thought") == thought):  # fmt: skip
                continue
            if ((device.name, thought) in likes) != (said["queued"] == "like"):
                faults.append(f"{device.name}: the last {said['queued']} of {thought} was not done")
    return faults, judged
