"""scripts/finding-your-way.py, in a checkout of its own. It tells what is wrong with the page, and accepts lines that moved."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
POOL, WORKER, TABLES = "Sources/Postgres/Pool.swift", "Sources/App/Worker.swift", "migrations/0001_tables.sql"
ROWS = 20


class FindingYourWay(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="tertulia-finding-"))
        self.addCleanup(shutil.rmtree, self.root)
        subprocess.run(["git", "init", "-q", self.root], check=True)
        # What somebody may have set changes nothing.
        subprocess.run(["git", "-C", self.root, "config", "color.ui", "always"], check=True)
        self.write(POOL, "/// A connection that is down is opened again.\nstruct Pool {\n    @inlinable public init(line: Int) {}\n}\n")
        self.page()

    def write(self, file, text):
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def page(self, symbol="Pool", words="`connection` `is down`", file=POOL, link=None, rows=ROWS):
        link = link or f"../{file}"
        row = f"| How is a lost connection retried? | {words} | `{symbol}` in [{file}]({link}) |\n"
        self.write("docs/finding-your-way.md", "| question | words | place |\n| --- | --- | --- |\n" + row * rows)

    def told(self):
        """What the check says of the first row, or of the page; nothing if it accepts it."""
        subprocess.run(["git", "-C", self.root, "add", "-A"], check=True)
        command = ["python3", "-B", ROOT / "scripts/finding-your-way.py", self.root]
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.returncode, int(run.stdout != ""))
        return run.stdout.splitlines()[0].removeprefix("How is a lost connection retried? ") if run.stdout else ""

    def test_a_right_page_is_accepted(self):
        self.assertEqual(self.told(), "")
        self.page(symbol="Pool.init(line:)")
        self.assertEqual(self.told(), "")

    def test_lines_may_move(self):
        self.write(POOL, "import Foundation\n" * 300 + (self.root / POOL).read_text())
        self.assertEqual(self.told(), "")

    def test_other_files_may_have_the_words(self):
        for number in range(4):
            self.write(f"Sources/App/Other{number}.swift", "// A connection that is down.\n")
        self.assertEqual(self.told(), "")
        self.write("Sources/App/Other4.swift", "// A connection that is down.\n")
        self.assertIn(f"Pool is at {POOL}:2, and a search finds first: Sources/App/Other0.swift:1", self.told())

    def test_words_that_are_gone(self):
        self.page(words="`connection` `that is broken`")
        self.assertEqual(self.told(), f"Pool is at {POOL}:2, and a search finds first: nothing")

    def test_words_that_stand_elsewhere_in_the_file(self):
        self.write(POOL, "// A connection that is down.\n" + "\n" * 30 + "struct Pool {}\n")
        self.assertIn(f"Pool is at {POOL}:32", self.told())

    def test_a_symbol_that_is_gone(self):
        # A comment and a use declare nothing.
        self.write(POOL, "/// The struct Pool: a connection that is down.\nlet line = Pool.init(line: 1)\n")
        self.assertEqual(self.told(), f"{POOL} declares no Pool")
        self.write(POOL, "struct Pool {}\n// A connection that is down.\nlet line = Pool.init(line: 1)\n")
        self.assertEqual(self.told(), "")
        self.page(symbol="Pool.init(line:)")
        self.assertEqual(self.told(), f"{POOL} declares no Pool.init(line:)")

    def test_a_type_around_it_that_is_gone(self):
        self.page(symbol="Line.init(line:)")
        self.assertEqual(self.told(), f"{POOL} declares no Line.init(line:)")

    def test_a_symbol_of_sql(self):
        for definition in "create function wake()", "CREATE OR REPLACE FUNCTION public.wake()", "create table wake (":
            self.write(TABLES, f"-- A connection that is down.\n{definition}\n")
            self.page(symbol="wake", file=TABLES)
            self.assertEqual(self.told(), "", definition)
        for use in "-- create function wake()", "create trigger a after insert on b execute function wake();", "create function wakes()":
            self.write(TABLES, f"-- A connection that is down.\n{use}\n")
            self.assertEqual(self.told(), f"{TABLES} declares no wake", use)

    def test_a_file_that_is_gone(self):
        (self.root / POOL).rename(self.root / "Pool.swift")
        self.assertEqual(self.told(), f"{POOL} declares no Pool")

    def test_another_link(self):
        self.page(link=f"../{WORKER}")
        self.assertEqual(self.told(), f"the link leads to {WORKER}")

    def test_another_form(self):
        self.page(link=f"{POOL}#L2")
        self.assertTrue(self.told().startswith("not a row: | How is"), self.told())

    def test_too_few_rows(self):
        self.page(rows=ROWS - 1)
        self.assertEqual(self.told(), f"{ROWS - 1} questions, and {ROWS} are the fewest")
