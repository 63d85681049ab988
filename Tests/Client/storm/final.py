"""Lists that were kept by changes alone, against the same lists read anew."""

from .api import ask

FEED = """query ($after: String) { feed(first: 50, after: $after) {
  nodes { id ... on Thought { text category likeCount commentCount } ... on Event { text: name commentCount } }
  pageInfo { hasNextPage endCursor } } }"""


async def feed(session, url, token, ask=ask):
    nodes, after = {}, None
    while True:
        page = (await ask(session, url, FEED, token, after=after))["feed"]
        nodes |= {node["id"]: node for node in page["nodes"]}
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            return nodes


def kept(events, start):
    nodes = dict(start)
    for event in events:
        if event.kind == "REMOVED":
            nodes.pop(event.node, None)
        elif event.content:
            nodes[event.node] = event.content
    return nodes


def differences(mine, read):
    """Between a kept list and the same read anew: ids, each with what is wrong."""
    faults = [(id, f"{id} is gone, but was kept") for id in mine.keys() - read.keys()]
    faults += [(id, f"{id} is missing") for id in read.keys() - mine.keys()]
    faults += [(id, f"{mine[id]} is now {read[id]}") for id in mine.keys() & read.keys() if mine[id] != read[id]]
    return faults
