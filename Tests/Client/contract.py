"""Compares the served SDL with the contract: contract.py CONTRACT SERVED.

What is not built yet may be missing: whole types, fields of the root types and of Viewer. Anything else that a client
could trip over is an error.
"""

import sys

from graphql import build_schema
from graphql.utilities import BreakingChangeType, find_breaking_changes

GROWING = ("Query.", "Mutation.", "Subscription.", "Viewer.")


def main():
    contract, served = (build_schema(open(path).read()) for path in sys.argv[1:3])
    missing, broken = 0, []
    for change in find_breaking_changes(contract, served):
        # "Query.changes was removed.", in newer versions with "Field" in front.
        is_field = change.type is BreakingChangeType.FIELD_REMOVED
        is_growing = is_field and change.description.removeprefix("Field ").startswith(GROWING)
        if change.type is BreakingChangeType.TYPE_REMOVED or is_growing:
            missing += 1
        else:
            broken.append(change.description)
    print(f"The contract holds, {missing} of its types and fields are to be built." if not broken else "\n".join(broken))
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
