#!/usr/bin/env bash
# Hostile clients against the built server.
# Usage: test-attacks.sh [SUITE…]: requests, memory and descriptors, or some of them.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"
source "$root/scripts/private-server.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}

# The clients have as many sockets as the server.
ulimit -n "$(ulimit -Hn)"

# The suite, and what the server is started with.
attack() {
    local suite=$1
    shift
    start_private_server "$@"
    if ! python3 "$root/Tests/Client/attacks.py" "$server_address" "$server_home" "$server_pid" "$suite"; then
        show_server_log
        exit 1
    fi
    stop_private_server
}

for suite in "${@:-requests memory descriptors}"; do
    for name in $suite; do
        case $name in
        # One machine stands for many clients.
        requests) attack requests MAX_CONNECTIONS_PER_ADDRESS=0 ;;
        memory) attack memory PRODUCTION=true MAIL=files WRITES_PER_MINUTE=0 ;;
        descriptors) attack descriptors MAX_CONNECTIONS_PER_ADDRESS=100 prlimit --nofile=512:512 ;;
        *) fail "There is no suite $name." ;;
        esac
    done
done
