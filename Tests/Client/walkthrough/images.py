"""Pictures, checked and cleaned."""

import json
import struct
import uuid
import zlib

from patience import ask_again

from .person import expect, fetch, say


def png(width, height, comment=b""):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes((x * 7 + y * 3) % 256 for x in range(3 * width)) for y in range(height))
    text = chunk(b"tEXt", b"Comment\0" + comment) if comment else b""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + text + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


def upload(person, file, name="photo.png"):
    document = """mutation ($file: Upload!, $key: String!) { uploadImage(file: $file, clientMutationId: $key) {
      image { id url width height } userErrors { code } } }"""
    parts = [
        ("operations", None, json.dumps({"query": document, "variables": {"file": None, "key": str(uuid.uuid4())}}).encode()),
        ("map", None, b'{"0": ["variables.file"]}'), ("0", name, file)]
    boundary = uuid.uuid4().hex
    body = b""
    for field, filename, content in parts:
        disposition = f'form-data; name="{field}"' + (f'; filename="{filename}"' if filename else "")
        body += f"--{boundary}\r\nContent-Disposition: {disposition}\r\n\r\n".encode() + content + b"\r\n"
    body += f"--{boundary}--\r\n".encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Authorization": f"Bearer {person.token}"}
    person.server.note(document)
    answer = ask_again(
        lambda: json.loads(fetch(f"{person.server.address}/graphql", body, headers)[2]), is_repeatable=True)
    expect("errors" not in answer, f"upload: {answer}")
    return answer["data"]["uploadImage"]


def show(ana, thought):
    image = upload(ana, png(16, 9, b"taken at home"))["image"]
    expect((image["width"], image["height"]) == (16, 9), f"image: {image}")
    ana.do("updateThought", "thought { image { id } coverUrl }", id=thought, imageId=image["id"])
    url = ana.ask("query ($id: ID!) { thought(id: $id) { image { url } } }", id=thought)["thought"]["image"]["url"]
    status, headers, served = fetch(ana.server.address + "/images/" + url.split("/images/")[1])
    expect(status == 200 and headers["Content-Type"] == "image/png", f"the image: HTTP {status}")
    expect(b"taken at home" not in served, "the picture still says where it was taken")
    refused = upload(ana, b"<svg onload='alert(1)'/>")
    expect(refused["userErrors"] == [{"code": "UNSUPPORTED_MEDIA"}], f"an SVG as PNG: {refused}")
    used = ana.ask("{ viewer { storage { usedBytes quotaBytes } } }")["viewer"]["storage"]
    expect(0 < used["usedBytes"] < used["quotaBytes"], f"storage: {used}")
    ana.do("updateProfile", "viewer { user { avatar { id } } }", avatarId=image["id"])
    second = upload(ana, png(8, 8))["image"]
    gone = ana.do("deleteImage", "deletedId viewer { storage { usedBytes } images { nodes { id } } }", id=second["id"])
    expect(gone["deletedId"] == second["id"], f"deleteImage: {gone}")
    say("Ana uploaded a picture, which lost its metadata, and uses it; a script in disguise was refused.")
