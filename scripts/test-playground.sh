#!/usr/bin/env bash
# Tests the playground: its types, its modules of language and schema in Node, and the page in a browser.
# scripts/prepare installs what it needs.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
cd "$root"

check_types() {
    tsc --project Sources/GraphQLTransport/Playground
}

test_modules() {
    node --test Tests/Playground/
}

# The page's validation beside that of a built server.
test_validation() {
    node Tests/Playground/differential.mjs "$scratch/debug/tertulia" 1000
}

# With built servers, and a driver of browsers from PyPI. Arguments: see run_tests.py.
test_page() {
    local python
    python=$(client_python "$scratch")
    "$python" Tests/Playground/editor/test_editor.py
    "$python" Tests/Playground/browser/run_tests.py "$scratch/debug/tertulia" "$scratch/debug/example-server" "$@"
}

check_types
test_modules
test_validation
test_page "$@"
