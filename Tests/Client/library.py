"""The program of docs/library.md, word for word that of Examples/Hello, serves what the page says.

Usage: library.py HELLO
"""

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

from patience import DEADLINE, eventually
from ports import free_port

ROOT = Path(__file__).resolve().parents[2]


def ask(port, query):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/graphql", query.encode(), {"Content-Type": "application/json"})

    def answer():
        try:
            return json.load(urllib.request.urlopen(request, timeout=DEADLINE))
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
            return None

    return eventually("an answer of the program", answer)


def main(program):
    page = ROOT.joinpath("docs/library.md").read_text()
    source = ROOT.joinpath("Examples/Hello/Hello.swift").read_text()
    assert f"```swift\n{source}```" in page, "docs/library.md and Examples/Hello/Hello.swift differ."
    query, answer = re.search(r"--data '([^']+)'\n(\{.*\})\n```", page).groups()
    port = free_port()
    server = subprocess.Popen([program, str(port)], stderr=subprocess.DEVNULL)
    try:
        actual = ask(port, query)
        assert actual == json.loads(answer), actual
    finally:
        server.terminate()
    assert server.wait(DEADLINE) == 0, server.returncode
    print("The library's documentation runs.")


if __name__ == "__main__":
    main(sys.argv[1])
