#!/usr/bin/env bash
# Tests the playground: its types, its modules of language and schema in Node, its validation beside the server's, and
# its editor in a browser.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
tests=$root/Tests/Playground

check_types() { tsc --project "$root/Sources/GraphQLTransport/Playground"; }

test_modules() { node --test "$tests"/*.test.mjs; }

test_validation() { node "$tests/differential.mjs" "$scratch/debug/tertulia" 1000; }

test_editor() { "$python" "$tests/editor/test_editor.py"; }

install_packages nodejs node-typescript chromium
python=$(client_python "$scratch" requirements-playground)
check_types
test_modules
test_validation
test_editor
