#!/usr/bin/env bash
# Images over HTTP, against the built server.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"
source "$root/scripts/private-server.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}

start_private_server WRITES_PER_MINUTE=0
if ! python3 "$root/Tests/Client/images.py" "$server_address"; then
    show_server_log
    exit 1
fi
