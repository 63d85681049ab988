"""Inputs to begin with, from the conformance cases beside the project: seeds.py TARGET FOLDER CONFORMANCE"""

import base64
import hashlib
import json
import pathlib
import sys


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def seeds(target, cases):
    if target in ("parser", "printer"):
        return [case["source"] for case in lines(cases / "parser.jsonl") if "source" in case]
    if target in ("validator", "coercion"):
        return [case["document"] for case in lines(cases / "validation.jsonl")]
    if target == "schema":
        schemas = json.loads((cases / "validation-schemas.json").read_text())
        documents = [case["document"] for case in lines(cases / "validation-sdl.jsonl") if "document" in case]
        return documents + [
            schemas[case["schema"]] + "\0" + case["document"] for case in lines(cases / "validation.jsonl")]
    if target == "multipart":
        return [base64.b64decode(request["bodyBase64"]) for case in
                json.loads((cases / "multipart-vectors.json").read_text()) for request in case["requests"]]
    if target == "typeid":
        return [case["typeid"] for name in ("valid", "invalid")
                for case in json.loads((cases / f"typeid-{name}.json").read_text())]
    return []


def main(target, folder, cases):
    cases = pathlib.Path(cases)
    if not cases.exists():
        return
    for seed in seeds(target, cases):
        data = seed if isinstance(seed, bytes) else seed.encode("utf-8", "surrogatepass")
        if target == "multipart":
            # The targets know one boundary.
            boundary = data.split(b"\r\n", 1)[0][2:]
            data = data.replace(boundary, b"b") if boundary else data
        if len(data) <= 4096:
            (pathlib.Path(folder) / hashlib.sha1(data).hexdigest()).write_bytes(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
