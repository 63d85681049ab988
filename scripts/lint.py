"""Refuses what a compiler accepts and a reader trips over: lint.py [FOLDER].

Each rule is tried first: a defect is planted in an empty tree, and the rule has to find it there and nothing in sound code.
"""

import dataclasses
import pathlib
import re
import sys
import tempfile
import typing

LINES_A_FILE = 500
LINES_A_SLICED_TYPE = 300
GENERATED = "// Written by tertulia-generate."


@dataclasses.dataclass(frozen=True)
class Finding:
    path: str
    line: int
    says: str


class Tree:
    """The Swift sources of a checkout, without their comments."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.files = {
            str(path.relative_to(self.root)): path.read_text()
            for folder in ("Sources", "Tests", "schema", "migrations", "Examples")
            for path in sorted((self.root / folder).rglob("*.swift"))
        }

    @property
    def sources(self):
        return {path: text for path, text in self.files.items() if path.startswith("Sources/")}

    def matches(self, pattern, besides=()):
        """Where code of the sources matches, outside of the files `besides`."""
        for path, text in self.sources.items():
            if path in besides:
                continue
            for number, line in enumerate(text.splitlines(), 1):
                code = line.partition("//")[0] if '"' not in line else line
                if not code.lstrip().startswith("//") and re.search(pattern, code):
                    yield path, number


def is_long(tree):
    """A file of over 500 lines is several things."""
    for path, text in tree.files.items():
        if (lines := text.count("\n")) > LINES_A_FILE and not text.startswith(GENERATED):
            yield Finding(path, LINES_A_FILE + 1, f"{lines} lines, and {LINES_A_FILE} are the most")


def is_slice(tree):
    """`X+Y.swift` hides how long the type X of the same module is."""
    for path, text in tree.sources.items():
        folder, _, name = path.rpartition("/")
        if "+" not in name:
            continue
        extended = name.partition("+")[0]
        module = "/".join(path.split("/")[:2])
        declares = re.compile(rf"^\s*(?:[\w@]+ )*(?:struct|class|enum|actor|protocol) {re.escape(extended)}\b", re.MULTILINE)
        own = [other for other, code in tree.sources.items() if other.startswith(module + "/") and declares.search(code)]
        slices = [other for other in tree.sources if other.startswith(module + "/")
                  and other.rpartition("/")[2].startswith(extended + "+")]
        lines = sum(tree.files[other].count("\n") for other in {*own, *slices})
        if own and lines > LINES_A_SLICED_TYPE:
            yield Finding(path, 1, f"a slice of {extended}, which has {lines} lines: a part of it has a name of its own")


def decides_by_name(tree):
    """What a field or an input is called decides nothing; its type or a directive does."""
    # Two underscores are reserved by the specification, and a format's own words are no names.
    pattern = r"""\b(?:name|field|\$0\.name)(?:\.value)?(?:\.lowercased\(\))?\.(?:hasPrefix|hasSuffix|contains)\("(?!__)"""
    for path, number in tree.matches(pattern, besides=OF_OTHERS):
        yield Finding(path, number, "behaviour that hangs on how something is called")


# Names that PostgreSQL and URLs give.
OF_OTHERS = {"Sources/tertulia/Configuration/ServiceURL.swift"}


def is_newer_than_ios_16(tree):
    """An app that runs on iOS 16 links the client, and its generator builds on macOS 13."""
    for path, number in tree.matches(r"^import (?:Synchronization|Observation)\b"):
        if path.split("/")[1] in CLIENT:
            yield Finding(path, number, "a module that iOS 16 and macOS 13 do not have")


CLIENT = {"ClientDocuments", "GraphQL", "TertuliaClient", "TertuliaClientNIO", "TertuliaGenerate", "tertulia-generate"}


def second(what, pattern, home):
    """One file does this for all."""

    def rule(tree):
        for path, number in tree.matches(pattern, besides=home):
            yield Finding(path, number, f"a second {what}: {' or '.join(sorted(home))} has it")

    rule.__name__ = f"second_{what.replace(' ', '_')}"
    return rule


def is_cache(tree):
    """`BoundedCache` is what every cache is made of: it has its bounds in number and weight, and drops what was used last."""
    for path, number in tree.matches(r"(?:struct|class|actor) \w*(?:Cache|LRU)\b"):
        if path not in CACHES and "BoundedCache" not in tree.files[path]:
            yield Finding(path, number, "a cache that is not made of BoundedCache")


# The definitions that one validation looked up last, in a table of fixed size: it ends with the document.
CACHES = {"Sources/GraphQL/Validation/FieldCache.swift"}


class Rule(typing.NamedTuple):
    finds: typing.Callable
    planted: dict
    sound: dict


def rules():
    # The engine imports nothing, and PostgreSQL's module no cryptography: each reads its own digits.
    hexadecimal = {"Sources/Cryptography/Hex.swift", "Sources/GraphQL/Language/Source.swift", "Sources/Postgres/UUID.swift"}
    calendar = {"Sources/CivilCalendar/CivilDate.swift"}
    # A header's second may be a few milliseconds late, for a clock that costs nothing to read.
    clock = {"Sources/CivilCalendar/CivilTime.swift", "Sources/Postgres/Timestamp.swift",
             "Sources/GraphQLTransport/HTTP/DateHeader.swift"}
    # The tail and the notifier wait for a signal, and not for an interval.
    loop = {"Sources/App/Background/PeriodicWorker.swift", "Sources/ChangeFeed/Log/ChangeTail.swift",
            "Sources/ChangeFeed/Log/ChangeNotifier.swift"}
    at = lambda paths, text: {path: text for path in paths}
    return [
        Rule(is_long, {"Sources/App/Long.swift": "let a = 1\n" * (LINES_A_FILE + 1)},
             {"Sources/App/Short.swift": "let a = 1\n" * LINES_A_FILE}),
        Rule(is_slice,
             {"Sources/App/Pool.swift": "public final class Pool {\n" + "\n" * 290, "Sources/App/Pool+Threads.swift": "\n" * 20},
             {"Sources/App/String+Words.swift": "extension String {}\n" + "\n" * 400}),
        Rule(decides_by_name, {"Sources/App/Fields.swift": 'if field.name.hasPrefix("viewer") {}\n'},
             {"Sources/App/Fields.swift": 'if type.name.hasPrefix("__") {}\n// name.hasPrefix("viewer")\n'}),
        Rule(second("hexadecimal notation", r"0123456789abcdef\"|0x61\.\.\.0x66|\(ascii: \"a\"\)\.\.\.UInt8\(ascii: \"f\"\)", hexadecimal),
             {"Sources/App/Digits.swift": "case 0x61...0x66: character - 0x61 + 10\n"},
             at(hexadecimal, 'let digits = Array("0123456789abcdef".utf8)\n')),
        Rule(second("calendar", r"146_?097|719_?468", calendar),
             {"Sources/App/Days.swift": "let era = days / 146_097\n"}, at(calendar, "let era = days / 146_097\n")),
        Rule(second("clock", r"CLOCK_REALTIME|gettimeofday|\btime\(nil\)|\bDate\(\)", clock),
             {"Sources/App/Now.swift": "clock_gettime(CLOCK_REALTIME, &time)\n"}, at(clock, "clock_gettime(CLOCK_REALTIME, &time)\n")),
        Rule(second("loop", r"while !Task\.isCancelled", loop),
             {"Sources/App/Sweeper.swift": "while !Task.isCancelled {\n"}, at(loop, "while !Task.isCancelled {\n")),
        Rule(is_newer_than_ios_16, {"Sources/TertuliaClient/Lock.swift": "import Synchronization\n"},
             {"Sources/Postgres/Lock.swift": "import Synchronization\n"}),
        Rule(is_cache, {"Sources/App/Names.swift": "final class NameCache {\n    var names: [Int: String] = [:]\n"},
             {"Sources/App/Names.swift": "final class NameCache {\n    let names: BoundedCache<Int, String>\n"}),
    ]


def plant(files, folder):
    for path, text in files.items():
        target = pathlib.Path(folder) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return Tree(folder)


def main(root):
    """Tries the rules, then applies them; exits with 1 where one finds something."""
    findings = []
    for rule in rules():
        with tempfile.TemporaryDirectory() as folder:
            assert list(rule.finds(plant(rule.planted, folder))), f"{rule.finds.__name__} does not see a planted defect."
        with tempfile.TemporaryDirectory() as folder:
            refused = list(rule.finds(plant(rule.sound, folder)))
            assert not refused, f"{rule.finds.__name__} refuses sound code: {refused}"
        findings += rule.finds(Tree(root))
    for finding in findings:
        print(f"{finding.path}:{finding.line}: {finding.says}")
    sys.exit(1 if findings else 0)


main(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
