#!/usr/bin/env bash
# What an operator sees: the alerts fire as their tests say and have runbooks, every expression of the dashboard parses and
# names a metric of a server, spans reach a collector, and a slow operation is logged.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"
source "$root/scripts/private-server.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
tests=$root/Tests/Client

# Prints promtool's path. Debian's package is only unpacked, because its installation would start a Prometheus.
promtool() {
    local folder=$scratch/prometheus
    if type -P promtool; then return; fi
    if [[ ! -x $folder/usr/bin/promtool ]]; then
        install_packages apt dpkg >&2
        mkdir -p "$folder"
        (
            cd "$folder"
            apt-get download -qq prometheus 2>/dev/null || {
                apt-get update -qq
                apt-get download -qq prometheus
            }
            dpkg-deb -x prometheus_*.deb . && rm prometheus_*.deb
        ) >&2
    fi
    printf '%s' "$folder/usr/bin/promtool"
}

promtool=$(promtool)
python=$(client_python "$scratch" requirements-observability)
"$promtool" check config "$root/deploy/observability/prometheus.yml" >/dev/null
"$promtool" test rules "$root/deploy/observability/alerts.test.yml" >/dev/null

collected=$(mktemp -d /tmp/tertulia-collected-XXXXXX)
"$python" "$tests/observability/collector.py" "$collected" &
collector=$!
stop_all() {
    kill "$collector" 2>/dev/null || true
    stop_private_server
    rm -rf "$collected"
}
for ((i = 0; i < 100; i++)); do
    [[ -s $collected/port ]] && break
    sleep 0.1
done

start_private_server OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:$(<"$collected/port")" OTEL_SERVICE_NAME=evening \
    OTEL_TRACES_SAMPLER_ARG=1 SLOW_OPERATION_MS=400 LOG_FORMAT=json
trap stop_all EXIT
"$python" "$tests/observability/seen.py" "$server_address" "$server_home" "$collected" "$promtool" || {
    show_server_log
    exit 1
}
