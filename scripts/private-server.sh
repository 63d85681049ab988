# shellcheck shell=bash
# Starts a built server on a private cluster of its own, for tests over the network. Sourced after machine.sh.

# Sets server_home, server_pid and server_address; the arguments are variables of the server's environment.
start_private_server() {
    server_home=$(mktemp -d /tmp/tertulia-server-XXXXXX)
    # The private cluster's owner must be able to enter.
    chmod 711 "$server_home"
    : >"$server_home/address"
    trap stop_private_server EXIT
    env -u DATABASE_URL TERTULIA_HOME="$server_home" HOST=127.0.0.1 PORT=0 METRICS_PORT=0 SHUTDOWN_DELAY=0 "$@" \
        "$scratch/debug/tertulia" serve >"$server_home/address" 2>"$server_home/log" &
    server_pid=$!
    local end=$((SECONDS + 300))
    while ((SECONDS < end)); do
        server_address=$(sed -nE 's|^Tertulia serves (\S+)/graphql.*|\1|p' "$server_home/address")
        [[ -n $server_address ]] && return
        kill -0 "$server_pid" 2>/dev/null || break
        sleep 0.1
    done
    show_server_log
    return 1
}

show_server_log() { cat "$server_home/log" >&2; }

stop_private_server() {
    kill -TERM "$server_pid" 2>/dev/null && wait "$server_pid" || true
    rm -rf "$server_home"
}
