#!/usr/bin/env bash
# The units and manifests of deploy/: systemd-analyze finds nothing to say and an exposure of 2.0 at most, and the Kubernetes
# manifests have their schemas' form. A planted mistake of each kind has to be found first.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

install_packages systemd python3 python3-venv
scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
validate=$(dirname -- "$(client_python "$scratch" requirements-deploy)")/kubernetes-validate
directory=$(mktemp -d /tmp/tertulia-deploy-XXXXXX)
trap 'rm -rf "$directory"' EXIT

# The unit in FILE, with a program that is there on every machine. Whatever verify prints is a fault.
unit() {
    local copy=$directory/${1##*/} says
    sed -E "${2:-}; s|^ExecStart=/usr/bin/tertulia|ExecStart=/bin/true|" "$1" >"$copy"
    says=$(systemd-analyze verify "$copy" 2>&1 | grep -F "${1##*/}" || true)
    [[ -z $says ]] && says=$(systemd-analyze security --offline=true --threshold=20 --no-pager "$copy" 2>&1) && return
    printf '%s\n' "$says"
    return 1
}

manifest() { "$validate" --strict --quiet "$1"; }

unit=$root/deploy/systemd/tertulia.service
! unit "$unit" 's/^Restart=always/Restart=perhaps/' >/dev/null || fail "A unit with a wrong value is not noticed."
! unit "$unit" '/^(Protect|Private|Restrict|NoNew|Capability|SystemCall)/d' >/dev/null || fail "An open unit is not noticed."
for unit in "$root"/deploy/systemd/*.service; do unit "$unit"; done

sed 's/maxUnavailable: 1/maxUnavailable: [1]/' "$root/deploy/kubernetes/tertulia.yaml" >"$directory/wrong.yaml"
! manifest "$directory/wrong.yaml" >/dev/null 2>&1 || fail "A manifest with a wrong type is not noticed."
sed 's/readinessProbe:/readyProbe:/' "$root/deploy/kubernetes/tertulia.yaml" >"$directory/wrong.yaml"
! manifest "$directory/wrong.yaml" >/dev/null 2>&1 || fail "A manifest with an unknown field is not noticed."
for manifest in "$root"/deploy/kubernetes/*.yaml; do manifest "$manifest"; done
echo "The units and manifests are well formed and closed."
