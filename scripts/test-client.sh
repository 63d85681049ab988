#!/usr/bin/env bash
# The main scenario through a stock client, against the built server on a private cluster of its own.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
python=$(client_python "$scratch")

home=$(mktemp -d /tmp/tertulia-client-XXXXXX)
# The private cluster's owner must be able to enter.
chmod 711 "$home"
server=
stop() {
    if [[ -n $server ]]; then
        kill -TERM "$server" 2>/dev/null && wait "$server" || true
    fi
    rm -rf "$home"
}
trap stop EXIT

env -u DATABASE_URL TERTULIA_HOME="$home" HOST=127.0.0.1 PORT=0 \
    "$scratch/debug/tertulia" serve >"$home/address" 2>"$home/log" &
server=$!
for ((i = 0; i < 600; i++)); do
    address=$(sed -nE 's|^Tertulia serves (\S+)/graphql,.*|\1|p' "$home/address")
    [[ -n $address ]] && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
done
if [[ -z $address ]] || ! "$python" "$root/Tests/Client/scenario.py" "$address/graphql"; then
    cat "$home/log" >&2
    exit 1
fi
