"""What an operator sees of a server that traces every request: spans, the log of slow operations, metrics, alerts, dashboard.

Usage: seen.py URL HOME FOLDER PROMTOOL: the server, its home, the collector's folder.
"""

import json
import pathlib
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

root = pathlib.Path(__file__).resolve().parents[3]
deploy = root / "deploy" / "observability"
SECRET = "a-word-that-no-log-has"
PASSWORD = "a long quiet evening"
CALLER = "4bf92f3577b34da6a3ce929d0e0e4736"


def post(url, query, variables=None, token=None, headers=None):
    request = urllib.request.Request(
        f"{url}/graphql", json.dumps({"query": query, "variables": variables or {}}).encode(),
        {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {}), **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as refusal:
        return json.load(refusal)


def done(answer):
    assert "errors" not in answer, answer
    for payload in answer["data"].values():
        assert not (isinstance(payload, dict) and payload.get("userErrors")), payload
    return answer["data"]


def until(find, says):
    """Asks until something is found. The limit is only for a server that never has it."""
    for _ in range(300):
        if (found := find()):
            return found
        time.sleep(0.1)
    raise AssertionError(says)


class Collected:
    def __init__(self, folder):
        self.folder = folder

    def spans(self, **properties):
        assert not (self.folder / "error").exists(), (self.folder / "error").read_text()
        file = self.folder / "spans"
        found = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        return [span for span in found if all(span[name] == value for name, value in properties.items())]

    def root(self, name, **properties):
        return until(lambda: self.spans(name=name, **properties), f"no span {name}")[0]

    def below(self, span):
        return [child for child in self.spans(trace=span["trace"]) if child["parent"] == span["id"]]


def sign_up(url):
    name = "p" + uuid.uuid4().hex[:12]
    answer = post(
        url, "mutation Join($input: SignUpInput!) { signUp(input: $input) { accessToken userErrors { message } } }",
        {"input": {"username": name, "email": f"{name}@example.org", "password": PASSWORD}})
    return done(answer)["signUp"]["accessToken"]


def write(url, token, text):
    answer = post(
        url, "mutation Write($input: CreateThoughtInput!) { createThought(input: $input) { thought { id } userErrors { message } } }",
        {"input": {"category": "SERIOUS", "text": text}}, token)
    return done(answer)["createThought"]["thought"]["id"]


def traces(url, collected, token):
    thought = write(url, token, SECRET)
    query = "query Read($id: ID!) { thought(id: $id) { text comments(first: 1) { nodes { author { username } } } } }"
    done(post(url, query, {"id": thought}, headers={"traceparent": f"00-{CALLER}-00f067aa0ba902b7-01"}))
    span = collected.root("query Read")
    assert (span["service"], span["trace"], span["parent"]) == ("evening", CALLER, "00f067aa0ba902b7"), span
    assert span["attributes"]["tertulia.outcome"] == "success" and span["kind"] == 2, span
    below = collected.below(span)
    assert {"parse", "validate", "level 1"} <= {child["name"] for child in below}, below
    levels = [child for child in below if child["name"].startswith("level ")]
    assert ["thought"] in [level["attributes"]["graphql.fields"] for level in levels], levels
    statements = [child for level in levels for child in collected.below(level)]
    assert statements and all(child["attributes"]["db.system.name"] == "postgresql" for child in statements), statements
    for child in below + statements:
        assert span["start"] <= child["start"] and child["end"] <= span["end"], (span, child)

    # The document is cached now, and the caller does not sample.
    other = "5" * 32
    done(post(url, query, {"id": thought}, headers={"traceparent": f"00-{other}-00f067aa0ba902b7-00"}))
    done(post(url, query.replace("Read", "Again"), {"id": thought}))
    again = collected.root("query Again")
    assert again["parent"] == "" and again["trace"] != other
    assert not collected.spans(trace=other), "a caller's decision was overruled"
    done(post(url, query, {"id": thought}))
    cached = until(lambda: [span for span in collected.spans(name="query Read") if span["trace"] != CALLER], "no second span")[0]
    assert not {"parse", "validate"} & {child["name"] for child in collected.below(cached)}, "a cached document was parsed"

    mutation = collected.root("mutation Write")
    assert [child for level in collected.below(mutation) for child in collected.below(level)], "a mutation has no statement"
    failed = post(url, "query Wrong { nothing }")
    assert failed["errors"]
    wrong = collected.root("request")
    assert wrong["attributes"]["error.type"] == "GRAPHQL_VALIDATION_FAILED", wrong


def deliveries(url, collected, token):
    request = urllib.request.Request(
        f"{url}/graphql",
        json.dumps({"query": "subscription Watch { feedChanges { node { ... on Thought { id text comments(first: 1) { nodes { id } } } } } }"}).encode(),
        {"Content-Type": "application/json", "Accept": "text/event-stream"})
    stream = urllib.request.urlopen(request, timeout=30)
    lines = []

    def read():
        for line in stream:
            lines.append(line)

    threading.Thread(target=read, daemon=True).start()
    collected.root("subscription Watch")
    write(url, token, "Seen at once.")
    until(lambda: any(b"Seen at once." in line for line in lines), "the change did not come")
    span = collected.root("deliver Watch")
    assert span["kind"] == 4, span
    assert [child for level in collected.below(span) for child in collected.below(level)], "a delivery has no statement"


def slow_operations(url, home, token):
    """A locked table makes an operation slow on every machine."""
    lines = (home / "postgres" / "data" / "postmaster.pid").read_text().splitlines()
    database = f"postgresql://postgres@/tertulia?host={lines[4]}&port={lines[3]}"
    lock = subprocess.Popen(
        ["psql", "-XAtq", database], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    print("begin; lock table thoughts; select 'locked';", file=lock.stdin)
    assert lock.stdout.readline().strip() == "locked"
    query = f"query Held($text: String!) {{ {SECRET.replace('-', '_')}: search(query: $text, first: 1) {{ nodes {{ __typename }} }} "
    query += "feed(first: 1) { nodes { __typename } } }"
    post(url, query, {"text": SECRET}, token)
    lock.stdin.close()
    assert lock.wait(30) == 0

    def entries():
        found = [json.loads(line) for line in (home / "log").read_text().splitlines() if line.startswith("{")]
        return [entry for entry in found if "slow operation" in entry.values() and entry.get("operation") == "Held"]

    entry = until(entries, "the slow operation is not logged")
    assert len(entry) == 1, entry
    entry = entry[0]
    assert int(entry["duration_us"]) >= 400_000 and int(entry["statement_count"]) >= 1, entry
    assert re.search(r"\w+ \d+\.\d ms failed", entry["statements"]), entry
    assert len(entry["trace_id"]) == 32 and entry["document"] and entry["request_id"], entry
    log = (home / "log").read_text()
    assert SECRET not in log and SECRET.replace("-", "_") not in log, "the log has a value or a part of the document"


def names_in(expression):
    text = re.sub(r"\{[^}]*\}|\[[^\]]*\]|\"[^\"]*\"", " ", expression)
    text = re.sub(r"\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)", " ", text)
    words = {"and", "or", "unless", "bool", "offset", "group_left", "group_right"}
    return {name for name in re.findall(r"[a-zA-Z_:][\w:]*(?!\s*\(|[\w:])", text) if name not in words}


def expressions():
    """Each expression of the dashboard, with Grafana's variables replaced."""
    for panel in json.loads((deploy / "dashboard.json").read_text())["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"].replace("$__rate_interval", "5m").replace("$instance", ".*")


def rules():
    """Each alert as (name, expression, runbook)."""
    for part in (deploy / "alerts.yml").read_text().split("- alert: ")[1:]:
        name, rest = part.split("\n", 1)
        expression = re.search(r"expr: (?:\|\n)?(.*?)\n\s+(?:for|labels):", rest, re.DOTALL).group(1)
        yield name, expression, re.search(r"runbook: (\S+)", rest).group(1)


def heading(text):
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def dashboard_and_alerts(metrics, promtool, folder):
    known = set()
    for name, kind in re.findall(r"^# TYPE (\S+) (\S+)$", metrics, re.MULTILINE):
        known |= {name + end for end in ("_bucket", "_sum", "_count")} if kind == "histogram" else {name}
    assert names_in('sum by (le) (rate(a_total{b="c"}[5m])) / ignoring (d) group_left e') == {"a_total", "e"}

    parts = list(expressions())
    file = folder / "dashboard.yml"
    record = "".join(f"  - record: dashboard:{number}\n    expr: {json.dumps(text)}\n" for number, (_, text) in enumerate(parts))
    file.write_text("groups:\n- name: dashboard\n  rules:\n" + record)
    checked = subprocess.run([promtool, "check", "rules", str(file)], capture_output=True, text=True)
    assert checked.returncode == 0 and len(parts) > 30, checked.stderr
    used = set()
    for title, text in parts:
        assert names_in(text) <= known, f"{title}: {names_in(text) - known}"
        used |= names_in(text)
    missing = {name for name in known if not name.endswith(("_sum", "_bucket", "_count"))} - used - {
        "tertulia_build_info", "tertulia_process_virtual_memory_bytes", "tertulia_process_start_timestamp_seconds",
        "graphql_document_cache_entries", "counter_audit_objects", "counter_audit_finished_timestamp_seconds",
        "trace_declined_total"}
    assert not missing, f"the dashboard does not show {sorted(missing)}"

    headings = {heading(line.lstrip("# ")) for line in (root / "docs" / "operations.md").read_text().splitlines() if line.startswith("#")}
    found = list(rules())
    assert len(found) >= 20
    for name, expression, runbook in found:
        # A server without standbys does not have their metric. `standbys` reads it of a server that has some.
        assert names_in(expression) - {"up", "standby_takes_reads"} <= known, f"{name}: {names_in(expression) - known}"
        page, _, anchor = runbook.partition("#")
        assert page == "docs/operations.md" and anchor in headings, f"{name}: no heading for {runbook}"


def main():
    url, home, folder, promtool = sys.argv[1], *map(pathlib.Path, sys.argv[2:4]), sys.argv[4]
    collected = Collected(folder)
    address = re.search(r'http://[^"/]+/metrics', (home / "log").read_text()).group(0)
    token = sign_up(url)
    traces(url, collected, token)
    deliveries(url, collected, token)
    slow_operations(url, home, token)
    metrics = urllib.request.urlopen(address, timeout=10).read().decode()
    dashboard_and_alerts(metrics, promtool, folder)
    value = lambda name: float(re.search(rf"^{re.escape(name)} (\S+)$", metrics, re.MULTILINE).group(1))
    assert value("trace_sampled_total") > 5 and value('trace_spans_dropped_total{reason="refused"}') == 0
    assert value("graphql_slow_operations_total") >= 1
    assert value('postgres_segment_duration_seconds_count{pool="read"}') > 0
    print(f"{len(collected.spans())} spans arrived; the dashboard and the alerts name metrics that are there.")


if __name__ == "__main__":
    main()
