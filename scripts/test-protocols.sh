#!/usr/bin/env bash
# Public suites and stock clients against the example server and Tertulia: the audits of GraphQL over HTTP, every
# transport of gql, sgqlc's code generator, schemathesis, and another engine's opinion of random documents.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
python=$(client_python "$scratch")
generator=$(client_python "$scratch" generator)
tests=$root/Tests/Client
# schemathesis leaves files behind, which are removed with this directory.
home=$(mktemp -d /tmp/tertulia-protocols-XXXXXX)
# The private cluster's owner must be able to enter.
chmod 711 "$home"
trap 'stop_servers; rm -rf "$home"' EXIT
cd "$home"

start_server "$home" example "$scratch/debug/example-server" --port 0 --connection-init-timeout 300000
example=$address
start_server "$home" impatient "$scratch/debug/example-server" --port 0 --connection-init-timeout 1000
impatient=$address
start_server "$home" tertulia env -u DATABASE_URL TERTULIA_HOME="$home" HOST=127.0.0.1 PORT=0 METRICS_PORT=0 SHUTDOWN_DELAY=0 \
    "$scratch/debug/tertulia" serve
tertulia=$address

"$python" "$tests/audits.py" "$example" "$tertulia"
"$python" "$tests/matrix.py" "$example" "$impatient"
"$python" "$tests/transports.py" "$tertulia"
"$python" "$tests/library.py" "$scratch/debug/hello"
"$scratch/debug/tertulia" schema --json >"$home/tertulia.json"
"$generator" "$tests/generated.py" "$home/tertulia.json" "$tertulia"
"$scratch/debug/tertulia" schema >"$home/tertulia.graphql"
for schema in "$root/Examples/ExampleServer/example.graphql" "$home/tertulia.graphql"; do
    "$generator" "$tests/differential.py" "$scratch/debug/tertulia" "$schema"
done
"$python" "$tests/fuzzed.py" "$example" --example
"$python" "$tests/fuzzed.py" "$tertulia" --signed-up --cases 10
