#!/usr/bin/env bash
# Dumps a database and restores it, into another cluster and into another database of the same cluster: all rows are there.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
directory=$(mktemp -d /tmp/tertulia-backup-XXXXXX)
# The private clusters' owner must be able to enter.
chmod 711 "$directory"
trap 'rm -rf "$directory"' EXIT
"$(client_python "$scratch")" "$root/Tests/Client/backup.py" "$scratch/debug/tertulia" "$directory"
