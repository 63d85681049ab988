#!/usr/bin/env bash
# The main scenario through a stock client, against the built server.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"
source "$root/scripts/private-server.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
python=$(client_python "$scratch")

start_private_server
if ! "$python" "$root/Tests/Client/scenario.py" "$server_address/graphql"; then
    show_server_log
    exit 1
fi
