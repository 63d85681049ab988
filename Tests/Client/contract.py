"""Compares the served SDL with the contract: contract.py CONTRACT SERVED.

Whatever a client could trip over is an error. A type that no field of the contract leads to is in nobody's way.
"""

import sys

from graphql import build_schema, get_named_type, is_abstract_type
from graphql.utilities import BreakingChangeType, find_breaking_changes


def reachable(schema):
    """The names of the types that a document can come upon."""
    waiting = [schema.query_type, schema.mutation_type, schema.subscription_type]
    names = set()
    while waiting:
        type_ = get_named_type(waiting.pop())
        if type_ is None or type_.name in names:
            continue
        names.add(type_.name)
        if is_abstract_type(type_):
            waiting += schema.get_possible_types(type_)
        waiting += getattr(type_, "interfaces", ())
        for field in getattr(type_, "fields", {}).values():
            waiting += [field.type, *(argument.type for argument in getattr(field, "args", {}).values())]
    return names


def main():
    contract, served = (build_schema(open(path).read()) for path in sys.argv[1:3])
    used = reachable(contract)
    broken = [
        change.description
        for change in find_breaking_changes(contract, served)
        # "UserEdge was removed.", in newer versions with a word in front.
        if not (change.type is BreakingChangeType.TYPE_REMOVED and used.isdisjoint(change.description.split()))
    ]
    print("\n".join(broken) or "The contract holds.")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
