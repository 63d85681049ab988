"""Documents and variables made to cost a parser, a validator or an executor more than they should."""

PARSE, INVALID, COMPLEX = "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED", "QUERY_TOO_COMPLEX"
INPUT, MALFORMED = "BAD_USER_INPUT", "BAD_REQUEST"
SIZE = 64 << 10


def numbered(count, text):
    return " ".join(text.replace("#", str(number)) for number in range(count))


# Name, document, the code of the refusal, and the limit that it names.
REFUSED = [
    ("100,000 open selections", "{a" * 100_000, COMPLEX, "documentSize"),
    ("32,000 open selections", "{a" * 32_000, COMPLEX, "parserDepth"),
    ("nested lists", "{node(id:" + "[" * 60_000, COMPLEX, "parserDepth"),
    ("nested objects", "{node(id:" + "{a:" * 20_000, COMPLEX, "parserDepth"),
    ("nested list types", "query($a:" + "[" * 60_000, COMPLEX, "parserDepth"),
    ("inline fragments, 200 times 100", "{" + ("...{" * 100 + "__typename" + "}" * 100) * 130 + "}", COMPLEX, None),
    ("800 arguments to one key", "{" + numbered(800, 'x:node(id:"#"){id}') + "}", COMPLEX, "tokens"),
    ("150 arguments to one key", "{" + numbered(150, 'x:node(id:"#"){id}') + "}", INVALID, None),
    ("fragments that double through fields", "{ feed { nodes { author { ...F0 } } } } fragment F30 on User { id }"
     + numbered(30, "fragment F# on User { thoughts { nodes { author { ...F§ ...F§ } } } }"), None, None),
    ("5,000 chained fragments", "{...F0}" + numbered(5_000, "fragment F# on Query{...F§}"), COMPLEX, None),
    ("a fragment that spreads itself", "{...F} fragment F on Query {...F}", INVALID, None),
    ("fragments in a circle", "{...F0} fragment F100 on Query {...F0}"
     + numbered(100, "fragment F# on Query {...F§}"), INVALID, None),
    ("10,000 directives", "{ viewer " + "@a " * 10_000 + "{ id } }", COMPLEX, "tokens"),
    ("200 directives", "{ viewer " + "@skip(if:false) " * 200 + "{ id } }", COMPLEX, "directives"),
    ("200 unknown directives", "{ viewer " + "@a " * 200 + "{ id } }", COMPLEX, "directives"),
    ("one directive twice", "{ a: viewer @skip(if:false) @include(if:true) @skip(if:false) { id } }", INVALID, None),
    ("101 aliases of one field", "{" + numbered(101, "a#:viewer{id}") + "}", COMPLEX, "aliases"),
    ("64 sign-ins by alias", "mutation{" + numbered(
        64, 'a#:signIn(input:{login:"x",password:"y"}){accessToken}') + "}", COMPLEX, "aliases"),
    ("a circle through the schema", "{__schema{types{" + "fields{type{" * 8 + "name" + "}}" * 8 + "}}}", None, None),
    ("a list of a thousand million", "{feed(first:1000000000){nodes{id}}}", None, None),
    ("lists in lists in lists", "{feed(first:100){nodes{author{thoughts(first:100){nodes{comments(first:100){nodes{id}}"
     + "}}}}}}", COMPLEX, "cost"),
    ("60 KiB of spaces", " " * 60_000, PARSE, None),
    ("60 KiB of commas", "," * 60_000, PARSE, None),
    ("60 KiB of byte-order marks", "\ufeff" * 20_000, PARSE, None),
    ("60 KiB of comments", "#a\n" * 20_000, PARSE, None),
    ("an open string", '{node(id:"' + "x" * 60_000, PARSE, None),
    ("an open block string", '{node(id:"""' + " \n" * 30_000, PARSE, None),
    ("a lone surrogate", '{node(id:"\\uD800"){id}}', PARSE, None),
    ("a NUL in a name", "{view\0er{id}}", PARSE, None),
    ("a number that is none", "{feed(first:1e400){nodes{id}}}", INVALID, None),
    ("2^53+1 as a page size", "{feed(first:9007199254740993){nodes{id}}}", INVALID, None),
    ("an integer of 400 digits", "{feed(first:" + "9" * 400 + "){nodes{id}}}", INVALID, None),
    ("1,000 operations", numbered(1000, "query Q#{viewer{id}}"), COMPLEX, "tokens"),
    ("60 unknown fields", "{" + numbered(60, "unknown#") + "}", INVALID, None),
]

# Large, and none of them wrong.
ALLOWED = [
    ("a query in 60 KiB of spaces", "{" + " " * 60_000 + "__typename}"),
    ("a query in 60 KiB of comments", "{" + "#x\n" * 20_000 + "__typename}"),
    ("minus nothing as a page size", "{feed(first:-0){nodes{id}}}"),
    ("fragments that double", "{...F0} fragment F30 on Query {__typename}"
     + numbered(30, "fragment F# on Query {...F§ ...F§}")),
]

VARIABLES = [
    ("a list of minus one", "{feed(first:-1){nodes{id}}}", {}, INPUT),
    ("10,000 wrong variables", "query($a:[ID!]!){nodes(ids:$a){id}}", {"a": [{"x": 1}] * 10_000}, INPUT),
    ("a list that no field has room for", "query($a:[ID!]!){nodes(ids:$a){id}}", {"a": ["x"] * 10_000}, None),
    ("a NUL in a variable", "query($a:ID!){node(id:$a){id}}", {"a": "user_\0"}, INPUT),
    ("a page size that is no number", "query($a:Int){feed(first:$a){nodes{id}}}", {"a": "10"}, INPUT),
    ("a page size beyond 32 bits", "query($a:Int){feed(first:$a){nodes{id}}}", {"a": 2**53 + 1}, INPUT),
    ("a cursor that is none", "query($a:String){feed(after:$a){nodes{id}}}", {"a": "x" * 100_000}, INPUT),
]

BODIES = [
    ("bytes that are no UTF-8", b'{"query":"{ __typename \xff }"}', 400),
    ("a lone surrogate in JSON", b'{"query":"{ __typename }","variables":{"a":"\\ud800"}}', 400),
    ("JSON that nests", b'{"query":"{ __typename }","variables":' + b"[" * 200_000, 400),
    ("JSON objects that nest", b'{"query":"{ __typename }","variables":' + b'{"a":' * 40_000, 400),
    ("a number beyond all", b'{"query":"query($a:Int){feed(first:$a){nodes{id}}}","variables":{"a":1e400}}', 400),
    ("400 digits", b'{"query":"query($a:Int){feed(first:$a){nodes{id}}}","variables":{"a":' + b"9" * 400 + b"}}", 400),
    ("a name twice", b'{"query":"{ __typename }","query":"{ viewer { id } }"}', None),
    ("a batch", b'[{"query":"{ __typename }"},{"query":"{ __typename }"}]', 400),
    ("no object", b'"{ __typename }"', 400),
    ("nothing", b"", 400),
    ("a megabyte", b'{"query":"{ __typename ' + b" " * (1 << 20) + b'}"}', 413),
]


def attacks(server):
    for name, document, code, limit in REFUSED:
        yield name, lambda document=document, code=code, limit=limit: refused(server, follow(document), code, limit)
    for name, document in ALLOWED:
        yield name, lambda document=document: allowed(server, follow(document))
    for name, document, variables, code in VARIABLES:
        yield name, lambda document=document, variables=variables, code=code: coerced(
            server, document, variables, code)
    for name, body, status in BODIES:
        yield name, lambda body=body, status=status: malformed(server, body, status)


def follow(document):
    """In `fragment F7 … ...F§`, § is the number of the next one."""
    if "§" not in document:
        return document
    parts = document.split("fragment F")
    numbered = [part.replace("§", str(int(part.split(" ")[0]) + 1)) for part in parts[1:]]
    return "fragment F".join(parts[:1] + numbered)


def refused(server, document, code, limit):
    answer = server.request(document)
    assert answer.status == 400, answer
    known = {code} if code else {INVALID, COMPLEX, INPUT}
    assert answer.codes and set(answer.codes) <= known, answer
    if code == COMPLEX:
        details = answer.extensions
        assert details["limit"] == (limit or details["limit"]), details
        assert details["maximum"] > 0, details


def allowed(server, document):
    answer = server.request(document)
    assert answer.status == 200 and "errors" not in answer.json, answer


def coerced(server, document, variables, code):
    answer = server.request(document, variables)
    assert answer.errors and (code is None or set(answer.codes) == {code}), answer
    assert "INTERNAL_SERVER_ERROR" not in answer.codes, answer


def malformed(server, body, status):
    answer = server.post(body)
    assert answer.status == status or (status is None and answer.status in (200, 400)), answer
    assert answer.status == 200 or len(answer.errors) == 1, answer
