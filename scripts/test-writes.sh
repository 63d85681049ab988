#!/usr/bin/env bash
# Sends mixed mutations over many connections, with retries and deletions of accounts, and checks that no counter drifts.
#   scripts/test-writes.sh [MUTATIONS] [SEED]
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
directory=$(mktemp -d /tmp/tertulia-writes-XXXXXX)
# The private cluster's owner must be able to enter.
chmod 711 "$directory"
trap 'rm -rf "$directory"' EXIT
"$(client_python "$scratch")" "$root/Tests/Client/write_storm.py" "${TERTULIA:-$scratch/debug/tertulia}" "$directory" \
    "${1:-1600}" ${2:+"$2"}
