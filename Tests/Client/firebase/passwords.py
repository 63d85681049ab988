"""Firebase's hashes of passwords: https://github.com/firebase/scrypt."""

import base64
import ctypes
import ctypes.util
import hashlib

# The sample of that page: parameters of a project, and an account in it.
PARAMETERS = """hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}
"""
SIGNER_KEY = base64.b64decode("jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==")
SAMPLE = {
    "password": "user1password",
    "salt": "42xEC+ixf3L2lw==",
    "passwordHash": "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
}


def encrypted(key, text):
    """AES-256 in counter mode, from a counter of zeros, by the system's OpenSSL."""
    library = ctypes.CDLL(ctypes.util.find_library("crypto"))
    library.EVP_CIPHER_CTX_new.restype = library.EVP_aes_256_ctr.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.EVP_CIPHER_CTX_new())
    cipher = ctypes.c_void_p(library.EVP_aes_256_ctr())
    output, length = ctypes.create_string_buffer(len(text)), ctypes.c_int()
    assert library.EVP_EncryptInit_ex(context, cipher, None, key, bytes(16)) == 1
    assert library.EVP_EncryptUpdate(context, output, ctypes.byref(length), text, len(text)) == 1
    library.EVP_CIPHER_CTX_free(context)
    return output.raw


def exported(password, salt):
    """The members of an exported account that has this password."""
    key = hashlib.scrypt(password.encode(), salt=salt + b"\x07", n=1 << 14, r=8, p=1, dklen=32, maxmem=64 << 20)
    return {
        "salt": base64.b64encode(salt).decode(),
        "passwordHash": base64.b64encode(encrypted(key, SIGNER_KEY)).decode(),
    }


assert exported(SAMPLE["password"], base64.b64decode(SAMPLE["salt"]))["passwordHash"] == SAMPLE["passwordHash"]
