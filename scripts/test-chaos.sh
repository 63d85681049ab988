#!/usr/bin/env bash
# A minute of scripts/chaos: a primary, a server and both standbys fail, and nothing acknowledged is lost or doubled. Its
# namespaces need root.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

exec "$root/scripts/chaos" --short
