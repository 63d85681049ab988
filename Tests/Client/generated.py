"""sgqlc's code generator over an introspection result: the module that it writes imports, and a query that is built
with it runs.

Usage: generated.py INTROSPECTION URL
"""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

from patience import DEADLINE
from sgqlc.endpoint.http import HTTPEndpoint
from sgqlc.operation import Operation


def generate(introspection):
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "tertulia_schema.py")
        subprocess.run([Path(sys.executable).with_name("sgqlc-codegen"), "schema", "--docstrings", introspection, path],
                       check=True)
        specification = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        return module


def main(introspection, url):
    schema = generate(introspection)
    operation = Operation(schema.Query)
    feed = operation.feed(first=100)
    feed.page_info.has_next_page()
    item = feed.nodes.__as__(schema.Thought)
    item.id()
    item.text()
    data = HTTPEndpoint(url, timeout=DEADLINE)(operation)
    assert "errors" not in data, data
    feed = (operation + data).feed
    assert feed.page_info.has_next_page is False
    assert all(thought.id.startswith("thought_") and thought.text for thought in feed.nodes)
    print("sgqlc's generated module imports and runs a query.")


if __name__ == "__main__":
    main(*sys.argv[1:])
