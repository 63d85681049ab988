#!/usr/bin/env bash
# Reads on standbys that are held back, frozen, killed and promoted: nobody may miss an own write or a change, or see an error.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
python=$(client_python "$scratch")
cd "$root/Tests/Client"
exec "$python" -m standbys "${TERTULIA:-$scratch/debug/tertulia}"
