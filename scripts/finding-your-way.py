"""Checks that docs/finding-your-way.md is right: finding-your-way.py [CHECKOUT].

Each row has a question, the words to search for, and a symbol in a file. One of the first lines that a search finds has to be
near the symbol's declaration.
"""

import pathlib
import re
import subprocess
import sys

FEWEST_ROWS = 20
# So many of the lines that a search finds are looked at.
FIRST = 5
# The greatest distance of such a line from the declaration, in lines.
NEAR = 20
ROW = re.compile(r"\| (?P<question>[^|]+\?) \| (?P<words>(?:`[^`]+` )+)\| `(?P<symbol>[^`]+)` in \[(?P<file>[^]]+)\]\(\.\./(?P<link>[^)]+)\) \|")
# Before the name. A Swift declaration has attributes and modifiers alone before its keyword.
SWIFT = r"^\s*(?:@?\w+(?:\([^)]*\))?\s+)*(?:actor|associatedtype|case|class|enum|extension|func|let|protocol|struct|typealias|var)\s+"
INIT = r"^\s*(?:@?\w+(?:\([^)]*\))?\s+)*init[?!]?\s*[(<]"
SQL = r"(?i)^\s*create\s+(?:or\s+replace\s+)?(?:function|table|view)\s+(?:public\.)?"


def found(root, words):
    """The file and number of each line that a search finds, in its order."""
    pattern = [argument for word in words for argument in ("--and", "-e", word)][1:]
    command = ["git", "-C", root, "grep", "--no-color", "-n", "-i", "-F", *pattern, "--", "Sources", "migrations"]
    search = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    # 1 is that nothing is found.
    if search.returncode > 1:
        search.check_returncode()
    return [(file, int(number)) for file, number, _ in (line.split(":", 2) for line in search.stdout.splitlines())]


def declarations(root, file, symbol):
    """The numbers of the lines that declare the symbol's last part; none where the file does not declare each part."""
    path = root / file
    lines = path.read_text().splitlines() if path.is_file() else []
    numbers = []
    for part in symbol.partition("(")[0].split("."):
        declares = INIT if part == "init" else (SQL if path.suffix == ".sql" else SWIFT) + re.escape(part) + r"\b"
        numbers = [number for number, line in enumerate(lines, 1) if re.search(declares, line)]
        if not numbers:
            break
    return numbers


def fault(root, row):
    """What is wrong with a row; None if it is right."""
    file, symbol = row["file"], row["symbol"]
    if row["link"] != file:
        return f"the link leads to {row['link']}"
    declared = declarations(root, file, symbol)
    if not declared:
        return f"{file} declares no {symbol}"
    hits = found(root, re.findall(r"`([^`]+)`", row["words"]))[:FIRST]
    if any(hit == file and abs(line - number) <= NEAR for hit, line in hits for number in declared):
        return None
    places = ", ".join(f"{hit}:{line}" for hit, line in hits) or "nothing"
    return f"{symbol} is at {file}:{declared[0]}, and a search finds first: {places}"


def main(root):
    wrong, rows = [], 0
    for line in (root / "docs/finding-your-way.md").read_text().splitlines():
        if not line.startswith("| ") or "?" not in line:
            continue
        rows += 1
        row = ROW.fullmatch(line)
        if not row:
            wrong.append(f"not a row: {line}")
        elif problem := fault(root, row):
            wrong.append(f"{row['question']} {problem}")
    if rows < FEWEST_ROWS:
        wrong.append(f"{rows} questions, and {FEWEST_ROWS} are the fewest")
    for problem in wrong:
        print(problem)
    sys.exit(1 if wrong else 0)


main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
