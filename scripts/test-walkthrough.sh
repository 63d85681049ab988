#!/usr/bin/env bash
# Runs scripts/walkthrough on a server of its own.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"
source "$root/scripts/private-server.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}

start_private_server
if ! "$root/scripts/walkthrough" "$server_address" --mail "$server_home/mail"; then
    show_server_log
    exit 1
fi
