"""Introspection of a server in production: for members alone, counted, bounded and kept."""

import re
import time
import uuid

from .tokens import Forger

ANONYMOUS = "mutation { signInAnonymously { accessToken } }"
# Of the fields of every type: those of their types, of their arguments' types and so on.
NAMES = "kind name description"
FIELD = "name description isDeprecated deprecationReason"
WIDE = f"""{{ __schema {{ types {{ {NAMES} ...F
  fields {{ {FIELD} args {{ {FIELD} type {{ ...F }} }} type {{ ...F ofType {{ ...F ofType {{ ...F }} }} }} }} }} }} }}
fragment F on __Type {{ {NAMES} fields {{ {FIELD} args {{ {FIELD} }} type {{ {NAMES} ofType {{ {NAMES} }} }} }}
  possibleTypes {{ {NAMES} }} interfaces {{ {NAMES} }} enumValues {{ name description }} inputFields {{ {FIELD} }} }}"""
ALIASES = "{ __schema { types { fields { " + " ".join(f"{'a' * 120}{n}: name" for n in range(30)) + " } } } }"


def standard(depth=9):
    """As GraphiQL asks, with descriptions, specifiedBy, oneOf and the deprecation of inputs."""
    reference = "kind name"
    for _ in range(depth):
        reference = f"kind name ofType {{ {reference} }}"
    return f"""query IntrospectionQuery {{ __schema {{ description queryType {{ name kind }} mutationType {{ name kind }}
      subscriptionType {{ name kind }} types {{ ...FullType }}
      directives {{ name description isRepeatable locations args(includeDeprecated: true) {{ ...InputValue }} }} }} }}
    fragment FullType on __Type {{ kind name description specifiedByURL isOneOf
      fields(includeDeprecated: true) {{ name description args(includeDeprecated: true) {{ ...InputValue }}
        type {{ ...TypeRef }} isDeprecated deprecationReason }}
      inputFields(includeDeprecated: true) {{ ...InputValue }} interfaces {{ ...TypeRef }}
      enumValues(includeDeprecated: true) {{ name description isDeprecated deprecationReason }}
      possibleTypes {{ ...TypeRef }} }}
    fragment InputValue on __InputValue {{ name description type {{ ...TypeRef }} defaultValue isDeprecated
      deprecationReason }}
    fragment TypeRef on __Type {{ {reference} }}"""


def attacks(server):
    member = Forger(server).token
    anonymous = server.request(ANONYMOUS)["signInAnonymously"]["accessToken"]
    yield "introspection by nobody", lambda: closed(server, None)
    yield "introspection by an anonymous account", lambda: closed(server, anonymous)
    yield "the standard introspection query by a member", lambda: open_to(server, member)
    for name, document in (("wide", WIDE), ("30 aliases", ALIASES)):
        yield f"introspection, {name}", lambda name=name, document=document: too_much(server, member, name, document)


def closed(server, token):
    for query in (standard(), WIDE, '{ __type(name: "User") { name } }'):
        answer = server.request(query, token=token)
        assert (answer.status, answer.codes) == (400, ["GRAPHQL_VALIDATION_FAILED"]), answer
    assert server.send("GET", "/schema.graphql").status == 404
    answer = server.request("{ vewer { id } }", token=token)
    assert not re.search("[Dd]id you mean", answer.body.decode()), answer


def open_to(server, token):
    answer = server.request(standard(), token=token)
    assert answer.status == 200 and not answer.errors, answer
    before = server.cpu()
    for _ in range(100):
        again = server.request(standard(), token=token)
    kept = (server.cpu() - before) / 100
    assert again.body == answer.body
    cost = server.request(standard(), token=token, extensions={"cost": True}).json["extensions"]["cost"]["cost"]
    print(
        f"       the standard query: {len(answer.body)} bytes, {kept:.1f} ms of CPU once it is kept, "
        f"cost {cost['actual']} of {cost['maximum']}")
    assert cost["actual"] <= cost["maximum"] / 2, cost


def too_much(server, token, name, document):
    """Each time as another document: nothing of it is kept."""
    spent = []
    for _ in range(10):
        before, started = server.cpu(), time.monotonic()
        answer = server.request(f"{document} # {uuid.uuid4()}", token=token)
        spent.append((server.cpu() - before, time.monotonic() - started))
        assert answer.status == 400 and set(answer.codes) == {"QUERY_TOO_COMPLEX"}, answer
    limits = [(error["extensions"]["limit"], error["extensions"]["actual"], error["extensions"]["maximum"])
              for error in answer.errors]
    print(
        f"       {len(document)} bytes of it, {name}: refused for "
        + ", ".join(f"{limit} {actual} of {maximum}" for limit, actual, maximum in limits)
        + f"; {min(cpu for cpu, _ in spent)} to {max(cpu for cpu, _ in spent)} ms of CPU")
