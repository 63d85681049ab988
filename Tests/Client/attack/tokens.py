"""Access tokens that the server never issued, those that its own key has signed included."""

import base64
import hashlib
import hmac
import json
import subprocess
import tempfile
import time

from .accounts import new_account

# RFC 8410: a private key of Ed25519 in PKCS #8 is this and the seed.
PKCS8 = bytes.fromhex("302e020100300506032b657004220420")


def encode(data):
    if not isinstance(data, bytes):
        data = json.dumps(data).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Forger:
    """Somebody who even has the server's key, and an honest token to start from."""

    def __init__(self, server):
        with open(f"{server.home}/keys.json") as file:
            self.seed = decode(json.load(file)["keys"][0]["d"])
        self.public = decode(json.loads(server.send("GET", "/.well-known/jwks.json").body)["keys"][0]["x"])
        self.token = new_account(server, "a long quiet evening")[1]["accessToken"]
        self.header, self.claims = (json.loads(decode(part)) for part in self.token.split(".")[:2])

    def signed(self, header=None, claims=None):
        """Signed with the server's own key. A member that is None is left out."""
        body = ".".join(encode({k: v for k, v in part.items() if v is not None}) for part in (
            self.header | (header or {}), self.claims | (claims or {})))
        with tempfile.NamedTemporaryFile() as key, tempfile.NamedTemporaryFile() as message:
            key.write(PKCS8 + self.seed)
            key.flush()
            message.write(body.encode())
            message.flush()
            signature = subprocess.run(
                ["openssl", "pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", key.name, "-in", message.name],
                check=True, capture_output=True).stdout
        return body + "." + encode(signature)

    def hashed(self, key):
        """HS256 with a key that everybody knows."""
        body = encode(self.header | {"alg": "HS256"}) + "." + encode(self.claims)
        return body + "." + encode(hmac.new(key, body.encode(), hashlib.sha256).digest())

    @property
    def forged(self):
        now = int(time.time())
        head, body, signature = self.token.split(".")
        unsigned = encode(self.header | {"alg": "none"}) + "." + body + "."
        return {
            "alg none": unsigned,
            "alg None with the signature": encode(self.header | {"alg": "None"}) + f".{body}.{signature}",
            "HS256 with the public key": self.hashed(self.public),
            "HS256 with the public key as it is published": self.hashed(encode(self.public).encode()),
            "a signature of nothing": f"{head}.{body}.",
            "another's claims": f"{head}.{encode(self.claims | {'sub': 'user_' + '0' * 26})}.{signature}",
            "kid with a path": self.signed({"kid": "../../../../dev/null"}),
            "kid of SQL": self.signed({"kid": "' or 1=1 --"}),
            "no kid": self.signed({"kid": None}),
            "jku": self.signed({"jku": "http://127.0.0.1:1/jwks.json"}),
            "jwk": self.signed({"jwk": {"kty": "OKP", "crv": "Ed25519", "x": encode(self.public)}}),
            "crit": self.signed({"crit": ["exp"]}),
            "wrong typ": self.signed({"typ": "JWT"}),
            "wrong aud": self.signed(claims={"aud": "https://elsewhere.example"}),
            "wrong iss": self.signed(claims={"iss": "https://elsewhere.example"}),
            "no aud": self.signed(claims={"aud": None}),
            "exp 1e308": self.signed(claims={"exp": 1e308}),
            "exp as text": self.signed(claims={"exp": str(now + 900)}),
            "exp past": self.signed(claims={"iat": now - 2000, "exp": now - 31}),
            "no exp": self.signed(claims={"exp": None}),
            "nbf ahead": self.signed(claims={"nbf": now + 600}),
            "a subject of another kind": self.signed(claims={"sub": self.claims["sid"]}),
            "two dots more": self.token + "..",
            "64 KiB": "x" * 8_000,
        }


def attacks(server):
    forger = Forger(server)
    yield "the honest token", lambda: accepted(server, forger.token)
    yield "the honest claims, signed anew", lambda: accepted(server, forger.signed())
    for name, token in forger.forged.items():
        yield f"token: {name}", lambda token=token: refused(server, token)


def accepted(server, token):
    answer = server.request("{ viewer { user { id } } }", token=token)
    assert answer["viewer"] is not None, answer


def refused(server, token):
    answer = server.request("{ viewer { user { id } } }", token=token)
    assert answer.status == 401 and answer.codes == ["UNAUTHENTICATED"], answer
    assert answer.headers["WWW-Authenticate"] == "Bearer", answer.headers
