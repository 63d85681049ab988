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

# The page in a browser: with built servers, Chromium from Debian's packages and a driver from PyPI.
test_page() {
    local scratch python
    source scripts/machine.sh
    install_packages chromium
    scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
    python=$(client_python "$scratch" requirements-playground)
    "$python" Tests/Playground/browser/run_tests.py "$scratch/debug/tertulia" "$scratch/debug/example-server" "$@"
}

test_page "$@"
