#!/usr/bin/env bash
# The served schema against the contract with clients, which lies beside the checkout or where TERTULIA_CONTRACT says.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

contract=${TERTULIA_CONTRACT:-$root/../shared/contract/schema.graphql}
if [[ ! -e $contract ]]; then
    echo "Not compared: there is no contract at $contract."
    exit 0
fi
scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
served=$(mktemp)
trap 'rm -f "$served"' EXIT
"$scratch/debug/tertulia" schema >"$served"
"$(client_python "$scratch")" "$root/Tests/Client/contract.py" "$contract" "$served"
