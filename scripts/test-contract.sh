#!/usr/bin/env bash
# Compares the served schema with the contract with clients, which is in the directory TERTULIA_CONTRACT, or beside the
# checkout.
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
