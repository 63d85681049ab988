#ifndef TERTULIA_COPENSSL_H
#define TERTULIA_COPENSSL_H

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

/* Macros over casts and string literals are not imported into Swift. */

static inline OSSL_PARAM tertulia_digest_parameter(char *name) {
    return OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0);
}

static inline int tertulia_ed25519(void) {
    return EVP_PKEY_ED25519;
}

#endif
