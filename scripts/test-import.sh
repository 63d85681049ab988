#!/usr/bin/env bash
# Imports of made Firebase exports, killed twice and repeated, and sign-ins with old passwords.
#
#   scripts/test-import.sh                     120 accounts and 1,500 documents for each kind of app
#   scripts/test-import.sh USERS DOCUMENTS     as many for each, with the time that an import takes
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
python=$(client_python "$scratch")
cd "$root/Tests/Client"
exec "$python" imports.py "${TERTULIA_EXECUTABLE:-$scratch/debug/tertulia}" "$@"
