"""The program of docs/library.md, word for word that of Examples/Hello, serves what the page says.

Usage: library.py HELLO
"""

import json
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def ask(port, query):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/graphql", query.encode(), {"Content-Type": "application/json"})
    for _ in range(100):
        try:
            return json.load(urllib.request.urlopen(request, timeout=5))
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
        time.sleep(0.1)
    raise AssertionError("The program does not listen.")


def main(program):
    page = ROOT.joinpath("docs/library.md").read_text()
    source = ROOT.joinpath("Examples/Hello/Hello.swift").read_text()
    assert f"```swift\n{source}```" in page, "docs/library.md and Examples/Hello/Hello.swift differ."
    query, answer = re.search(r"--data '([^']+)'\n(\{.*\})\n```", page).groups()
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    server = subprocess.Popen([program, str(port)], stderr=subprocess.DEVNULL)
    try:
        actual = ask(port, query)
        assert actual == json.loads(answer), actual
    finally:
        server.terminate()
    assert server.wait(30) == 0, server.returncode
    print("The library's documentation runs.")


if __name__ == "__main__":
    main(sys.argv[1])
