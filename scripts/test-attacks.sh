#!/usr/bin/env bash
# Hostile clients against the built server.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"
source "$root/scripts/private-server.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}

# The clients have as many sockets as the server.
ulimit -n "$(ulimit -Hn)"
start_private_server
if ! python3 "$root/Tests/Client/attacks.py" "$server_address" "$server_home" "$server_pid"; then
    show_server_log
    exit 1
fi
