"""Checks that docs/finding-your-way.md is right: finding-your-way.py [--write].

Each row has a question, the words to search for, and a place. The first line of the sources that has all of these words has
to be that place. --write puts the places found into the table.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
PAGE = ROOT / "docs/finding-your-way.md"
ROW = re.compile(r"^\| (?P<question>[^|]+\?) \| (?P<words>(?:`[^`]+` ?)+)\| \[(?P<file>[^]:]+):(?P<line>\d+)\]\((?P<link>[^)]+)\) \|$")
QUESTIONS = 20


def first(words):
    """The file and line that a search finds first."""
    pattern = [argument for word in words for argument in ("--and", "-e", word)][1:]
    command = ["git", "-C", ROOT, "grep", "-n", "-i", "-F", *pattern, "--", "Sources", "migrations"]
    found = subprocess.run(command, capture_output=True, text=True).stdout
    return tuple(found.split(":", 2)[:2]) if found else (None, None)


def main(writes):
    lines, wrong, rows = PAGE.read_text().splitlines(), [], 0
    for number, line in enumerate(lines):
        row = ROW.match(line)
        if not row:
            if line.startswith("| ") and "?" in line:
                wrong.append(f"not a row: {line}")
            continue
        rows += 1
        file, place = first(re.findall(r"`([^`]+)`", row["words"]))
        expected = (row["file"], row["line"], f"../{row['file']}#L{row['line']}")
        if file is None:
            wrong.append(f"{row['question']} Nothing has the words {row['words']}")
        elif writes:
            lines[number] = f"| {row['question']} | {row['words'].strip()} | [{file}:{place}](../{file}#L{place}) |"
        elif expected != (file, place, f"../{file}#L{place}"):
            wrong.append(f"{row['question']} {row['file']}:{row['line']} is now {file}:{place}")
    if rows < QUESTIONS:
        wrong.append(f"{rows} questions, and not {QUESTIONS}")
    if writes:
        PAGE.write_text("\n".join(lines) + "\n")
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


main("--write" in sys.argv)
