#!/usr/bin/env bash
# The attacks of scripts/attacks that have the same outcome on every machine.
set -euo pipefail
exec "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/attacks" requests introspection proxied
