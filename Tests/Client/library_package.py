"""Writes the package of docs/library.md into a directory, with this checkout as the dependency.

Usage: library_package.py ROOT DIRECTORY
"""

import re
import sys
from pathlib import Path

root, directory = map(Path, sys.argv[1:])
manifest, program = re.findall(r"```swift\n(.*?)```", root.joinpath("docs/library.md").read_text(), re.S)[:2]
assert manifest.startswith("// swift-tools-version"), "docs/library.md begins with no Package.swift."
path = 'path: "../tertulia"'
assert path in manifest, f"The Package.swift of docs/library.md has no {path}."
directory.joinpath("Package.swift").write_text(manifest.replace(path, f'path: "{root}"'))
sources = directory.joinpath("Sources", "hello")
sources.mkdir(parents=True)
sources.joinpath("Hello.swift").write_text(program)
