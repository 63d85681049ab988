"""The lines of code that Examples/Apps/README.md tells."""

import pathlib
import re

APPS = pathlib.Path(__file__).resolve().parents[3] / "Examples" / "Apps"


def lines(folder, ending):
    """Neither empty nor a comment."""
    texts = [path.read_text() for path in sorted((APPS / folder).glob(f"*.{ending}"))]
    return sum(not re.match(r"\s*([/#]|$)", line) for text in texts for line in text.splitlines())


def check():
    told = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \|$", (APPS / "README.md").read_text(), re.MULTILINE)
    there = [(folder, str(lines(folder, "swift")), str(lines(folder, "graphql"))) for folder, _, _ in told]
    assert told and told == there, f"Examples/Apps/README.md tells {told}, and the sources have {there}"
    assert lines("Terminal", "swift") <= 200, "the shared library has more than 200 lines"
