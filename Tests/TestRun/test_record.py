"""scripts/record, in a checkout of its own with a toolchain that writes what it is asked for."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GENERATED, STRUCTURE = "Tests/ClientOperations/TertuliaOperations.swift", "migrations/structure.sql"
RELEASE = "Tests/AppTests/Statements/previous-release.sql"
ORPHAN = "Tests/AppTests/Feed/Operations/gone.sql"
# Without the settings of whoever runs the tests.
PLAIN_GIT = os.environ | {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
SWIFT = f"""#!/bin/sh
echo "$@" >&2
case $1 in
    --version) echo "Swift version 6.3" ;;
    test)
        [ -z "$TERTULIA_RECORD" ] || echo new >{STRUCTURE}
        [ -z "$TERTULIA_RECORD_RELEASE" ] || echo new >{RELEASE}
        exit $TESTS_END_WITH ;;
esac
"""
# A generator that writes the file after --output.
GENERATE = """#!/bin/sh
while [ "$1" != --output ]; do shift; done
echo new >"$2"
"""


class Record(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="tertulia-record-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.root = self.home / "checkout"
        for name in ("record", "machine.sh"):
            self.write(f"checkout/scripts/{name}", (ROOT / "scripts" / name).read_text())
        feed = "Tests/AppTests/Feed/Operations/feed"
        files = ["schema/thoughts.graphql", "Tests/ClientOperations/feed.graphql", f"{feed}.graphql", f"{feed}.json", f"{feed}.sql"]
        for name in [GENERATED, STRUCTURE, RELEASE, *files]:
            self.write(f"checkout/{name}", "old\n")
        self.write("checkout/.gitignore", ".build\n")
        self.write("checkout/.build/debug/tertulia-generate", GENERATE)
        self.write("bin/swift", SWIFT)
        identity = ["-c", "user.name=Tests", "-c", "user.email=tests@example.org"]
        for arguments in ["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "-m", "a commit"]:
            subprocess.run(["git", "-C", self.root, *arguments], env=PLAIN_GIT, check=True)

    def write(self, file, text):
        path = self.home / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def run_it(self, *arguments, tests_end_with=0, scratch=None):
        paths = os.pathsep.join([str(self.home / "bin"), os.environ["PATH"]])
        environment = PLAIN_GIT | {"PATH": paths, "TESTS_END_WITH": str(tests_end_with)}
        for name in ("TERTULIA_SCRATCH", "TERTULIA_RECORD", "TERTULIA_RECORD_RELEASE"):
            environment.pop(name, None)
        if scratch:
            environment["TERTULIA_SCRATCH"] = str(scratch)
        return subprocess.run(
            ["bash", self.root / "scripts/record", *arguments], env=environment, capture_output=True, text=True)  # fmt: skip

    def changed(self, run):
        return [line.removeprefix(" M ") for line in run.stdout.splitlines()]

    def test_records_all_but_a_release(self):
        run = self.run_it()
        self.assertEqual((run.returncode, self.changed(run)), (0, [GENERATED, STRUCTURE]), run.stderr)
        build, test = (
            f"{command} --scratch-path {self.root}/.build --disable-automatic-resolution {rest}"
            for command, rest in (("build", "--product tertulia-generate"), ("test", "--filter AsRecorded")))  # fmt: skip
        self.assertIn(f"{build}\n{test}\n", run.stderr)

    def test_builds_where_it_is_told_to(self):
        scratch = self.home / "elsewhere"
        shutil.move(self.root / ".build", scratch)
        run = self.run_it(scratch=scratch)
        self.assertEqual((run.returncode, self.changed(run)), (0, [GENERATED, STRUCTURE]), run.stderr)
        self.assertEqual(run.stderr.count(f"--scratch-path {scratch} "), 2)

    def test_deletes_what_a_document_left(self):
        self.write(f"checkout/{ORPHAN}", "old\n")
        run = self.run_it()
        self.assertEqual((run.returncode, self.changed(run)), (0, [GENERATED, STRUCTURE]), run.stderr)

    def test_records_a_release_alone(self):
        run = self.run_it("release")
        self.assertEqual((run.returncode, self.changed(run)), (0, [RELEASE]), run.stderr)
        self.assertIn("--filter PreviousReleaseTests", run.stderr)

    def test_fails_where_a_test_fails(self):
        run = self.run_it(tests_end_with=3)
        self.assertEqual((run.returncode, self.changed(run)), (3, [GENERATED, STRUCTURE]))
        self.assertEqual(self.run_it("release", tests_end_with=3).returncode, 3)

    def test_refuses_other_arguments(self):
        for arguments in ["now"], ["release", "now"]:
            run = self.run_it(*arguments)
            self.assertEqual((run.returncode, run.stderr, run.stdout), (1, "Usage: scripts/record [release]\n", ""))
