"""Images over HTTP against a running server: uploads by multipart, what is refused, who sees what, ranges and caching.

Usage: images.py URL
"""

import json
import struct
import sys
import time
import uuid
import zlib
from http.client import HTTPConnection
from urllib.parse import urlsplit
from xml.etree import ElementTree

import patience
from patience import DEADLINE, ask_again, codes_of, is_repeatable, named

PLACE = b"N40 24.9 W3 42.2"


def chunk(kind, body=b""):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width=40, height=30, extra=b"", size=None):
    """A grey picture; with `size` a comment makes the file so many bytes long."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress((b"\0" + b"\x7f" * min(width, 64)) * min(height, 64))
    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra
    end = chunk(b"IDAT", pixels) + chunk(b"IEND")
    filling = chunk(b"tEXt", b" " * (size - len(start + end) - 12)) if size else b""
    return start + filling + end


def jpeg(trailing=b""):
    """16 by 8, one component, turned by a quarter, with the place where it was taken."""
    def segment(marker, body):
        return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body

    tiff = b"MM\0*\0\0\0\x08\0\x02" + struct.pack(">HHIHH", 0x112, 3, 1, 6, 0)
    tiff += struct.pack(">HHII", 0x8825, 4, 1, 38) + b"\0\0\0\0" + PLACE
    return (
        b"\xff\xd8" + segment(0xE1, b"Exif\0\0" + tiff) + segment(0xFE, PLACE) + segment(0xDB, b"\0" + b"\1" * 64)
        + segment(0xC0, struct.pack(">BHHBBBB", 8, 8, 16, 1, 1, 0x11, 0))
        + segment(0xC4, b"\0\1" + b"\0" * 16 + b"\x10\1" + b"\0" * 16)
        + segment(0xDA, b"\1\1\0\0\x3f\0") + b"\x0f\xff\xd9" + trailing)


class Server:
    def __init__(self, url):
        self.url = urlsplit(url)

    def request(self, method, target, body=None, headers=None):
        connection = HTTPConnection(self.url.netloc, timeout=DEADLINE)
        connection.request(method, target, body, headers or {})
        response = connection.getresponse()
        answer = response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
        connection.close()
        return answer

    def get(self, url, **headers):
        address = urlsplit(url)
        target = address.path + ("?" + address.query if address.query else "")
        return self.request("GET", target, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def ask(self, query, variables=None, token=None):
        """The response, which is asked for again while the server is busy."""
        variables = named(variables or {})
        return ask_again(lambda: self.ask_once(query, variables, token), is_repeatable(query, variables))

    def ask_once(self, query, variables, token=None):
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = "Bearer " + token
        body = json.dumps({"query": query, "variables": variables})
        return json.loads(self.request("POST", "/graphql", body, headers)[2])

    def upload(self, query, file, token, name="photo.png", kind="image/png", variables=None):
        """The answer's status and JSON: the file is the variable `file`, the mutation's `clientMutationId` is `key`. The header
        of the file's part is Latin-1, with a line that is no header."""
        boundary = uuid.uuid4().hex
        operations = {"query": query, "variables": {**(variables or {}), "key": str(uuid.uuid4()), "file": None}}
        parts = [("operations", None, json.dumps(operations).encode()), ("map", None, b'{"0":["variables.file"]}')]
        body = b""
        for part, filename, content in [*parts, ("0", name, file)]:
            disposition = f'form-data; name="{part}"' + (f'; filename="{filename}"' if filename else "")
            kind_line = f"Content-Type: {kind}\r\nno header: größer\r\n" if filename else ""
            head = f"--{boundary}\r\nContent-Disposition: {disposition}\r\n{kind_line}\r\n"
            body += head.encode("latin-1") + content + b"\r\n"
        headers = {
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Authorization": f"Bearer {token}",
            "GraphQL-Require-Preflight": "1",
        }
        body += f"--{boundary}--\r\n".encode()

        def send():
            status, _, answer = self.request("POST", "/graphql", body, headers)
            return status, json.loads(answer)

        return ask_again(send, is_repeatable=True, codes_of=lambda answer: codes_of(answer[1]))


UPLOAD = """mutation ($file: Upload!, $key: String!) { uploadImage(file: $file, clientMutationId: $key) {
  image { id url width height byteSize mimeType } userErrors { code field } } }"""
CREATE = """mutation ($file: Upload!, $key: String!, $status: ThoughtStatus!) {
  createThought(input: { category: FUNNY, text: "Look.", status: $status, clientMutationId: $key }, image: $file) {
    thought { id coverUrl image { id url width height mimeType byteSize } } userErrors { code field } } }"""


def sign_up(server):
    name = "p" + uuid.uuid4().hex[:12]
    account = {"username": name, "email": f"{name}@example.org", "password": "a long quiet evening"}
    return patience.sign_up(server.ask_once, account)["accessToken"]


def refusals(server, token):
    expected = {
        "an SVG": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "UNSUPPORTED_MEDIA"),
        "HTML": (b"<!doctype html><script>alert(1)</script>", "UNSUPPORTED_MEDIA"),
        "JavaScript": (b"alert(1)", "UNSUPPORTED_MEDIA"),
        "nothing": (b"", "UNSUPPORTED_MEDIA"),
        "a JPEG that is cut off": (jpeg()[:-3], "INVALID"),
        "a PNG of 50,000 by 50,000": (png(50_000, 50_000), "TOO_LARGE"),
    }
    for name, (file, code) in expected.items():
        status, answer = server.upload(UPLOAD, file, token)
        errors = answer["data"]["uploadImage"]["userErrors"]
        assert status == 200 and errors == [{"code": code, "field": ["file"]}], (name, answer)
        _, answer = server.upload(CREATE, file, token, variables={"status": "PUBLISHED"})
        payload = answer["data"]["createThought"]
        assert payload == {"thought": None, "userErrors": [{"code": code, "field": ["image"]}]}, (name, answer)
    assert server.ask("{ viewer { thoughts { nodes { id } } storage { usedBytes } } }", token=token)["data"]["viewer"] == {
        "thoughts": {"nodes": []}, "storage": {"usedBytes": 0}}


def trailing(server, token):
    """Bytes behind a picture are not stored; an end marker that is missing is added."""
    gif = b"GIF89a\1\0\1\0\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"
    for file, whole in [
        (gif + b"PK\3\4", gif), (gif[:-1], gif), (jpeg(b"<html>"), None), (jpeg(b"\xff\xd9\n"), None), (jpeg()[:-2], None),
        (png() + b"PK\3\4", png()),
    ]:
        _, answer = server.upload(CREATE, file, token, variables={"status": "PUBLISHED"})
        body = server.get(answer["data"]["createThought"]["thought"]["image"]["url"])[2]
        assert body == whole if whole else body.endswith(b"\x0f\xff\xd9"), (file, body)


def sizes(server, token):
    status, answer = server.upload(UPLOAD, png(size=1 << 20), token)
    assert status == 200 and answer["data"]["uploadImage"]["image"], answer
    status, answer = server.upload(UPLOAD, png(size=(1 << 20) + 1), token)
    assert status == 413 and "data" not in answer, (status, answer)


def cleaning(server, token):
    """A lying content type and a name in Latin-1 with a path change nothing; the place is gone, the turn is kept."""
    _, answer = server.upload(CREATE, jpeg(), token, "../../etc/pässwörd", "text/html", {"status": "PUBLISHED"})
    image = answer["data"]["createThought"]["thought"]["image"]
    assert (image["width"], image["height"], image["mimeType"]) == (8, 16, "image/jpeg"), image
    status, headers, body = server.get(image["url"])
    assert status == 200 and headers["content-type"] == "image/jpeg", (status, headers)
    assert len(body) == image["byteSize"] and PLACE not in body and b"Exif\0\0" in body
    return image


def serving(server, image):
    url = image["url"]
    _, headers, body = server.get(url)
    assert headers["cache-control"] == "public, max-age=31536000, immutable", headers
    assert headers["x-content-type-options"] == "nosniff", headers
    assert headers["content-security-policy"] == "default-src 'none'; sandbox", headers
    assert headers["accept-ranges"] == "bytes" and int(headers["content-length"]) == len(body), headers
    status, head, nothing = server.request("HEAD", urlsplit(url).path)
    assert (status, nothing) == (200, b"") and head["content-length"] == headers["content-length"], head
    assert head["etag"] == headers["etag"] and head["content-type"] == headers["content-type"], head

    tag = headers["etag"]
    status, headers, nothing = server.get(url, If_None_Match=f'"x", W/{tag}')
    assert (status, nothing) == (304, b"") and headers["etag"] == tag, (status, headers)
    for asked, first, last in [("5-9", 5, 9), ("5-", 5, len(body) - 1), ("-7", len(body) - 7, len(body) - 1)]:
        status, headers, part = server.get(url, Range=f"bytes={asked}")
        assert status == 206 and part == body[first:last + 1], (asked, status)
        assert headers["content-range"] == f"bytes {first}-{last}/{len(body)}", headers
    status, headers, _ = server.get(url, Range=f"bytes={len(body)}-")
    assert status == 416 and headers["content-range"] == f"bytes */{len(body)}", (status, headers)
    assert server.get(url, Range="bytes=0-1,4-5")[::2] == (200, body)
    assert server.get(url, Range="bytes=0-1", If_Range='"x"')[::2] == (200, body)
    assert server.get(url, Range="bytes=0-1", If_Range=tag)[0] == 206
    for unknown in ["image_01kdv00000e008000000000181", "x", "..%2f..%2fetc%2fpasswd", "thought_01kdv00000e008000000000181"]:
        status, headers, _ = server.request("GET", f"/images/{unknown}")
        assert status == 404 and headers["cache-control"] == "no-store", (unknown, status, headers)


def privacy(server, token, other):
    began = time.monotonic()
    _, answer = server.upload(CREATE, png(12, 9), token, variables={"status": "DRAFT"})
    thought = answer["data"]["createThought"]["thought"]
    signed = thought["image"]["url"]
    bare = signed.split("?")[0]
    status, headers, _ = server.get(signed)
    assert status == 200 and headers["cache-control"].startswith("private, max-age="), (status, headers)
    # A signature is made for an hour at least, of which the requests since then took a part.
    assert int(headers["cache-control"].split("=")[1]) >= 3600 - (time.monotonic() - began) - 1, headers
    for wrong in [bare, signed[:-3] + "AAA", signed.replace("expires=", "expires=9")]:
        status, headers, _ = server.get(wrong)
        assert status == 404 and headers["cache-control"] == "no-store", (wrong, status, headers)
    node = "query ($id: ID!) { node(id: $id) { ... on Image { url } } }"
    image = {"id": thought["image"]["id"]}
    # In the next hour the address is signed anew.
    assert server.ask(node, image, token)["data"]["node"]["url"].split("expires=")[0] == signed.split("expires=")[0]
    for asker in [other, None]:
        assert server.ask(node, image, asker)["data"]["node"] is None
    publish = "mutation ($input: PublishThoughtInput!) { publishThought(input: $input) { thought { coverUrl } } }"
    answer = server.ask(publish, {"input": {"id": thought["id"]}}, token)
    assert answer["data"]["publishThought"]["thought"]["coverUrl"] == bare, answer
    assert server.get(bare)[0] == 200


def covers(server, token):
    create = "mutation ($input: CreateThoughtInput!) { createThought(input: $input) { thought { coverUrl } } }"
    values = {"category": "CRAZY", "text": "No picture."}
    url = server.ask(create, {"input": values}, token)["data"]["createThought"]["thought"]["coverUrl"]
    status, headers, body = server.get(url)
    assert status == 200 and headers["content-type"] == "image/svg+xml", (status, headers)
    assert body.startswith(b"<svg ") and len(body) < 6000
    assert server.get(url)[2] == body
    drawn = set()
    for category in ["funny", "serious", "crazy", "event"]:
        for digit in "0123456789abcdefghjkmnpqrstvwxyz":
            body = server.get(f"/covers/{category}/thought_01kdv00000e0080000000000{digit}1")[2]
            drawn.add(body)
            assert ElementTree.fromstring(body).get("viewBox") == "0 0 1280 720"
    assert len(drawn) == 4 * 32
    assert server.request("GET", "/covers/crazy/x")[0] == 404


def main(url):
    server = Server(url)
    token, other = sign_up(server), sign_up(server)
    refusals(server, token)
    trailing(server, token)
    image = cleaning(server, token)
    serving(server, image)
    privacy(server, token, other)
    sizes(server, other)
    covers(server, token)
    print("Images are stored, refused, shown and cached as they should be.")


if __name__ == "__main__":
    main(*sys.argv[1:])
