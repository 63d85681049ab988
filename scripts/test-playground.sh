#!/bin/bash
# Tests the playground: its types, its modules of language and schema in Node, and the page in a browser.
# Needs Debian's nodejs and node-typescript.
set -euo pipefail
cd "$(dirname "$0")/.."

check_types() {
    tsc --project Sources/GraphQLTransport/Playground
}

test_modules() {
    node --test Tests/Playground/
}

check_types
test_modules
