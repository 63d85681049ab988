#ifndef CLIBPQ_SHIM_H
#define CLIBPQ_SHIM_H
#include <libpq-fe.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#endif
