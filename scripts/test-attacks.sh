#!/usr/bin/env bash
# Hostile clients against the built server.
# Usage: test-attacks.sh [SUITE…]: requests, memory, descriptors; all three by default.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"
source "$root/scripts/private-server.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}

# The clients open as many sockets as the server.
ulimit -n "$(ulimit -Hn)"

# Arguments: the suite, and the variables of the server's environment.
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
        # One machine acts as many clients.
        requests) attack requests MAX_CONNECTIONS_PER_ADDRESS=0 ;;
        memory) attack memory PRODUCTION=true MAIL=files WRITES_PER_MINUTE=0 ;;
        descriptors) attack descriptors MAX_CONNECTIONS_PER_ADDRESS=100 prlimit --nofile=512:512 ;;
        *) fail "There is no suite $name." ;;
        esac
    done
done
