"""The 61 audits of GraphQL over HTTP's reference suite (graphql-http), over the wire, against any server.

Usage: audits.py URL...

The ids are those of the suite. 39AA is named there but not written out; the suite's ports to other languages have it.
"""

import json
import sys
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlencode, urlsplit

from patience import DEADLINE

GRAPHQL = "application/graphql-response+json"
JSON = "application/json"
OK, BAD, REFUSED, CLIENT_ERROR = range(200, 201), range(400, 401), range(400, 600), range(400, 500)
TYPENAME = {"query": "{ __typename }"}
TYPE = {"query": "query Type($name: String!) { __type(name: $name) { name } }", "variables": {"name": "sometype"}}
NAMED = {"query": "query Query { __typename }", "operationName": "Query"}
UNPARSABLE = {"query": "{"}
INVALID = {"query": "{ 8f31403dfe404bccbb0e835f2629c6a7 }"}
UNCOERCIBLE = {"query": "query CoerceFailure($id: ID!){ __typename }", "variables": {"id": None}}


class Reply:
    def __init__(self, response):
        self.status = response.status
        self.content_type = response.getheader("Content-Type", "")
        self.body = response.read()

    @property
    def result(self):
        return json.loads(self.body.decode("utf-8", errors="strict"))


class Server:
    def __init__(self, url):
        self.url = urlsplit(url)

    def send(self, method, target, body=None, accept=None, content_type=None):
        """A request with these header fields and no others but Host and Content-Length."""
        secure = self.url.scheme == "https"
        connection = (HTTPSConnection if secure else HTTPConnection)(self.url.netloc, timeout=DEADLINE)
        headers = {"Accept": accept, "Content-Type": content_type}
        connection.request(method, target, body, {name: value for name, value in headers.items() if value})
        try:
            return Reply(connection.getresponse())
        finally:
            connection.close()

    def post(self, body, accept=None, content_type=JSON):
        text = body if body is None or isinstance(body, str) else json.dumps(body, ensure_ascii=False)
        return self.send("POST", self.url.path, text and text.encode(), accept, content_type)

    def get(self, parameters, accept=None):
        encoded = {name: value if isinstance(value, str) else json.dumps(value) for name, value in parameters.items()}
        return self.send("GET", f"{self.url.path}?{urlencode(encoded)}", accept=accept)


def audits():
    """(id, rule, request, statuses, further checks)"""

    def post(body, accept=None, content_type=JSON):
        return lambda server: server.post(body, accept, content_type)

    def get(parameters, accept=None):
        return lambda server: server.get(parameters, accept)

    yield "22EB", f"accepts {GRAPHQL} and answers with it", post(TYPENAME, GRAPHQL), OK, [answers_with(GRAPHQL)]
    yield "4655", f"accepts {JSON} and answers with it", post(TYPENAME, JSON), OK, [answers_with(JSON)]
    yield "47DE", f"answers */* with {JSON}", post(TYPENAME, "*/*"), OK, [answers_with(JSON)]
    yield "80D8", f"assumes {JSON} without Accept", post(TYPENAME), OK, [answers_with(JSON)]
    yield "82A3", "answers in UTF-8", post(TYPENAME), OK, [is_utf8]
    yield "BF61", "takes UTF-8", post(
        {"query": '{ __type(name: "Run🏃Swim🏊") { name } }'}, content_type=f"{JSON}; charset=utf-8"), OK, []
    yield "78D5", "assumes UTF-8", post(TYPENAME), OK, []
    yield "2C94", "takes POST", post(TYPENAME), OK, []
    yield "5A70", "takes GET", get(TYPENAME), OK, []
    yield "9C48", "runs no mutation by GET", get({"query": "mutation { __typename }"}, GRAPHQL), CLIENT_ERROR, []
    yield "9ABE", "refuses POST without content type", post(None, content_type=None), CLIENT_ERROR, []
    yield "03D4", "takes JSON by POST", post(TYPENAME), OK, []
    yield "A5BF", "refuses a missing body", post(None), BAD, []
    yield "423L", "refuses a missing query", post({"notquery": "{ __typename }"}, GRAPHQL), BAD, []
    for index, value in enumerate([{"obj": "ect"}, 0, False, ["array"]]):
        yield f"LKJ{index}", f"refuses {json.dumps(value)} as query", post({"query": value}), BAD, []
        yield f"6C0{index}", f"refuses {json.dumps(value)} as operationName", post(
            TYPENAME | {"operationName": value}), BAD, []
    for index, value in enumerate(["string", 0, False, ["array"]]):
        yield f"476{index}", f"refuses {json.dumps(value)} as variables", post(TYPENAME | {"variables": value}), BAD, []
        yield f"58B{index}", f"refuses {json.dumps(value)} as extensions", post(
            TYPENAME | {"extensions": value}), BAD, []
    for index, name in enumerate(["variables", "operationName", "extensions"]):
        for prefix, accept in (("94B", GRAPHQL), ("022", JSON)):
            yield f"{prefix}{index}", f"takes null as {name} ({accept})", post(
                TYPENAME | {name: None}, accept), OK, [has_no("errors")]
    extensions = TYPENAME | {"extensions": {"some": "value"}}
    yield "34A2", f"takes a string as query ({GRAPHQL})", post(TYPENAME, GRAPHQL), OK, []
    yield "13EE", f"takes a string as query ({JSON})", post(TYPENAME, JSON), OK, [has_no("errors")]
    yield "8161", f"takes a string as operationName ({GRAPHQL})", post(NAMED, GRAPHQL), OK, []
    yield "B8B3", f"takes a string as operationName ({JSON})", post(NAMED, JSON), OK, [has_no("errors")]
    yield "2EA1", f"takes a map as variables ({GRAPHQL})", post(TYPE, GRAPHQL), OK, []
    yield "28B9", f"takes a map as variables ({JSON})", post(TYPE, JSON), OK, [has_no("errors")]
    yield "D6D5", f"takes variables by GET ({GRAPHQL})", get(TYPE, GRAPHQL), OK, []
    yield "6A70", f"takes variables by GET ({JSON})", get(TYPE, JSON), OK, [has_no("errors")]
    yield "428F", f"takes a map as extensions ({GRAPHQL})", post(extensions, GRAPHQL), OK, []
    yield "1B7A", f"takes a map as extensions ({JSON})", post(extensions, JSON), OK, [has_no("errors")]
    yield "39AA", "accepts a map as extensions", post(extensions, f"{GRAPHQL}, {JSON};q=0.9"), OK, [has_no("errors")]
    yield "B6DC", "refuses what is not JSON", post('{ "not a JSON'), CLIENT_ERROR, []
    yield "BCF8", "refuses what is not JSON with 400", post('{ "not a JSON'), BAD, []
    yield "8764", "refuses wrong parameters", post({"qeury": "{ __typename }"}), REFUSED, []
    yield "3E3A", "refuses wrong parameters with 400", post({"qeury": "{ __typename }"}), BAD, []
    yield "572B", "answers 200 to what does not parse", post(UNPARSABLE, JSON), OK, []
    yield "FDE2", "answers 200 to what does not validate", post(INVALID, JSON), OK, []
    yield "7B9B", "answers 200 to what does not coerce", post(UNCOERCIBLE, JSON), OK, []
    yield "865D", "refuses what does not parse", post(UNPARSABLE, GRAPHQL), REFUSED, []
    yield "556A", "refuses what does not parse with 400", post(UNPARSABLE, GRAPHQL), BAD, []
    yield "D586", "sends no data where nothing parsed", post(UNPARSABLE, GRAPHQL), REFUSED, [has_no("data")]
    yield "51FE", "refuses what does not validate", post(INVALID, GRAPHQL), REFUSED, []
    yield "74FF", "refuses what does not validate with 400", post(INVALID, GRAPHQL), BAD, []
    yield "5E5B", "sends no data where nothing was valid", post(INVALID, GRAPHQL), REFUSED, [has_no("data")]
    yield "86EE", "refuses what does not coerce with 400", post(UNCOERCIBLE, GRAPHQL), BAD, []


def answers_with(media_type):
    return lambda reply: media_type in reply.content_type or f"Content-Type is {reply.content_type}"


def has_no(key):
    return lambda reply: key not in reply.result or f"there is an entry {key}: {reply.body!r}"


def is_utf8(reply):
    return isinstance(reply.result, dict) or "no object"


def failures(url):
    server, count = Server(url), 0
    for id, rule, request, statuses, checks in audits():
        count += 1
        reply = request(server)
        if reply.status not in statuses:
            yield f"{id} {rule}: status {reply.status}"
        for check in checks:
            outcome = check(reply)
            if outcome is not True:
                yield f"{id} {rule}: {outcome}"
    if count != 61:
        yield f"{count} audits instead of 61"


def main(urls):
    failed = [f"{url}: {failure}" for url in urls for failure in failures(url)]
    print("\n".join(failed) if failed else f"All 61 audits of GraphQL over HTTP pass at {' and '.join(urls)}.")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
