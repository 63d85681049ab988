#!/usr/bin/env bash
# Sends mails over SMTP with STARTTLS and a password to a real server, and follows their links.
set -euo pipefail
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/machine.sh"

scratch=${TERTULIA_SCRATCH:-$(scratch_path)}
python=$(client_python "$scratch")
directory=$(mktemp -d /tmp/tertulia-mail-XXXXXX)
# The private clusters' owner must be able to enter.
chmod 711 "$directory"
trap 'rm -rf "$directory"' EXIT

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=Tests" \
    -keyout "$directory/authority.key" -out "$directory/authority.pem" 2>/dev/null
openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=localhost" \
    -keyout "$directory/server.key" -out "$directory/server.csr" 2>/dev/null
openssl x509 -req -in "$directory/server.csr" -CA "$directory/authority.pem" -CAkey "$directory/authority.key" \
    -CAcreateserial -days 2 -extfile <(echo "subjectAltName=DNS:localhost") -out "$directory/server.pem" 2>/dev/null
"$python" "$root/Tests/Client/mail.py" "$scratch/debug/tertulia" "$directory"
