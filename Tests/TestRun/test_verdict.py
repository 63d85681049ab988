"""The verdict of scripts/test, in a checkout of its own whose toolchain and scripts pass and fail as each test plans."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from testing import __main__, plan, second_look, soak  # noqa: E402

# Without the settings of whoever runs the tests.
PLAIN_GIT = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
# A Python package that is empty.
WHEEL = {
    "friend-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: friend\nVersion: 1.0\n",
    "friend-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "friend-1.0.dist-info/RECORD": "friend-1.0.dist-info/METADATA,,\nfriend-1.0.dist-info/WHEEL,,\nfriend-1.0.dist-info/RECORD,,\n",
}
PLAIN, EXACT = "Tests/AppTests/Feed/FeedTests.swift", "Tests/ChangeFeedTests/TailTests.swift"


class Verdict(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="tertulia-verdict-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.root, self.cache = self.home / "checkout", self.home / "cache"
        (self.root / "scripts").mkdir(parents=True)
        for name in ("test", "prepare", "machine.sh"):
            shutil.copy2(ROOT / "scripts" / name, self.root / "scripts")
        shutil.copytree(ROOT / "scripts/testing", self.root / "scripts/testing", ignore=shutil.ignore_patterns("__pycache__"))
        for file in (PLAIN, EXACT, "Sources/ChangeFeed/Tail.swift", "README.md"):
            self.write(file, "first")
        self.set_limits()
        for name in ("lint", "figures", "a", "b"):
            self.script(name, "pass")
        for name in ("", "-generator"):
            self.write(f"Tests/Client/requirements{name}.txt", "")
            self.write(f".build/client-venv{name}/requirements.txt", "")
            self.write(f".build/client-venv{name}/bin/python", "")
            (self.root / f".build/client-venv{name}/bin/python").chmod(0o755)
        self.write(".gitignore", ".build\nlooks-*\n")
        (self.home / "bin").mkdir()
        shutil.copy2(pathlib.Path(__file__).parent / "swift", self.home / "bin")
        # What was refused is tried again at once.
        self.program("sleep", "exit 0")
        self.program("dpkg-query", "echo installed")
        for name in ("apt-get", "sudo"):
            self.program(name, "exit 1")
        self.git("init", "-q", "-b", "main")
        self.commit()

    def write(self, file, text):
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def set_limits(self, b=60, swift_tests=60):
        """The plan of the checkout, whose seconds are the limits themselves."""
        lines = ["PREPARE_LIMIT = BUILD_LIMIT = FORMAT = 60", f"SWIFT_TESTS = {swift_tests}", "CHECKS = {'lint': 60, 'figures': 60}"]
        lines += [f"SCRIPTS = {{'b': {b}, 'a': 1}}", "GRACE = 5", "limit = lambda usual: 60 if usual == 1 else usual"]
        self.write("scripts/testing/plan.py", "\n".join(lines))

    def program(self, name, text):
        """Puts a program before the machine's own."""
        path = self.home / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def git(self, *arguments):
        identity = ["-c", "user.name=Tests", "-c", "user.email=tests@example.org"]
        return subprocess.run(
            ["git", "-C", self.root, *identity, *arguments], env=os.environ | PLAIN_GIT, check=True, capture_output=True,
            text=True).stdout.strip()  # fmt: skip

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "a commit")

    def change(self, file):
        """On a branch."""
        self.git("switch", "-q", "-c", "branch")
        self.write(file, "second")
        self.commit()

    def script(self, name, *looks):
        """A script with the outcomes of its looks; it passes after them."""
        acts = {
            "pass": "exit 0", "fail": "echo no; exit 1", "killed": "kill -9 $$", "crashed": "echo 'Fatal error: no'; exit 1",
            # One process that does not obey; one in a session of its own, whose parent has ended; one that takes a while to end.
            "hang": f"""
                trap '' TERM
                (setsid sh -c 'echo $$ >>{self.home}/hanging; exec /bin/sleep 3600' &)
                (trap '/bin/sleep 0.3; echo >{self.home}/clean; exit' TERM; while :; do /bin/sleep 0.1; done) &
                echo $$ $! >>{self.home}/hanging
                /bin/sleep 3600""",
        }  # fmt: skip
        lines = [f"    {number}) {acts[look]} ;;" for number, look in enumerate(looks, 1)]
        counting = f'looks={self.root}/looks-{name}; echo >>"$looks"; case $(wc -l <"$looks") in'
        self.write(f"scripts/test-{name}.sh", "\n".join(["#!/bin/sh", counting, *lines, "esac", ""]))
        (self.root / f"scripts/test-{name}.sh").chmod(0o755)

    def run_it(self, first=("pass", "pass"), second=("pass", "pass"), file=PLAIN, environment={}, **plan):
        """Runs scripts/test with two Swift tests and the outcomes of their looks; the second one is in the file.

        Returns the exit status and the lines that it printed."""
        tests = [
            {"id": "AppTests.One/a()/One.swift:1:1", "file": f"{self.root}/{PLAIN}", "looks": list(first)},
            {"id": "AppTests.Two/b(_:)/Two.swift:2:1", "file": f"{self.root}/{file}", "looks": list(second)},
        ]
        plan = {"tests": tests} | plan
        (self.home / "bin/plan.json").write_text(json.dumps(plan))
        for looks in self.root.glob("looks-*"):
            looks.unlink()
        path = f"{self.home}/bin:{os.environ['PATH']}"
        environment = os.environ | PLAIN_GIT | {"PATH": path, "XDG_CACHE_HOME": str(self.cache)} | environment
        for name in ("TERTULIA_SCRATCH", "TERTULIA_BASE"):
            environment.pop(name, None)
        done = subprocess.run([self.root / "scripts/test"], env=environment, capture_output=True, text=True, check=False)
        self.output = done.stdout + done.stderr
        return done.returncode, done.stdout.splitlines()

    def expect(self, ran, code, last, *said):
        status, lines = ran
        self.assertEqual((status, lines[-1]), (code, last), self.output)
        for words in said:
            self.assertTrue(any(words in line for line in lines), f"{words!r} is not in\n{self.output}")

    def is_said(self, words):
        return words in self.output

    def test_all_pass(self):
        self.expect(self.run_it(), 0, "8 passed, 0 failed", "0 flaky", "2 Swift tests and 6 scripts")
        record = (self.cache / "tertulia/green").read_text()
        self.assertTrue(record.startswith(self.git("rev-parse", "HEAD^{tree}") + "\t"), record)

    def test_the_run_compares_where_it_is_told_to_record(self):
        self.write("scripts/test-a.sh", "#!/bin/sh\n[ -z \"$TERTULIA_RECORD$TERTULIA_RECORD_RELEASE\" ]\n")
        environment = {"TERTULIA_RECORD": "1", "TERTULIA_RECORD_RELEASE": "1"}
        self.expect(self.run_it(environment=environment), 0, "8 passed, 0 failed")

    def test_what_is_not_committed_is_not_recorded_as_green(self):
        self.write("README.md", "second")
        self.expect(self.run_it(), 0, "8 passed, 0 failed")
        self.assertFalse((self.cache / "tertulia/green").exists())

    def test_a_swift_test_that_fails_twice(self):
        ran = self.run_it(second=["fail", "fail"])
        self.expect(ran, 1, "7 passed, 1 failed", "Failed: AppTests.Two/b(_:): Expectation failed: 1 == 2", "failed again", "0 flaky")
        self.assertFalse((self.cache / "tertulia/green").exists())

    def test_a_swift_test_that_passes_alone(self):
        self.expect(self.run_it(second=["fail", "pass"]), 0, "8 passed, 0 failed", "flaky: AppTests.Two/b(_:)", "1 flaky")

    def test_a_name_is_flaky_once_in_ten_runs(self):
        self.expect(self.run_it(second=["fail", "pass"]), 0, "8 passed, 0 failed")
        for _ in range(8):
            self.run_it()
        self.expect(self.run_it(second=["fail", "pass"]), 1, "7 passed, 1 failed", "was flaky lately", "1 flaky")
        for _ in range(9):
            self.run_it()
        self.expect(self.run_it(second=["fail", "pass"]), 0, "8 passed, 0 failed")

    def test_three_flaky_names_are_too_many(self):
        self.script("a", "fail")
        self.commit()
        ran = self.run_it(first=["fail", "pass"], second=["fail", "pass"])
        self.expect(ran, 1, "8 passed, 1 failed", "more than 2 flaky names", "3 flaky")

    def test_exactness_has_no_second_look(self):
        ran = self.run_it(second=["fail", "pass"], file=EXACT)
        self.expect(ran, 1, "7 passed, 1 failed", "about exactness")

    def test_a_late_test_of_exactness_has_a_second_look(self):
        self.expect(self.run_it(second=["late", "pass"], file=EXACT), 0, "8 passed, 0 failed", "1 flaky")

    def test_a_changed_test_has_no_second_look(self):
        self.change(PLAIN)
        self.expect(self.run_it(second=["fail", "pass"]), 1, "7 passed, 1 failed", "changed by this branch")

    def test_a_crash_has_no_second_look(self):
        ran = self.run_it(first=["fail", "pass"], second=["crash", "pass"])
        self.expect(ran, 1, "6 passed, 2 failed", "; AppTests.Two/b(_:) had begun", "; a crash", "beside a crash")

    def test_a_run_without_tests_fails(self):
        self.expect(self.run_it(tests=[]), 1, "6 passed, 1 failed", "ended with status 0 after 0 tests")

    def test_an_issue_of_no_test_fails(self):
        self.expect(self.run_it(stray=["Expectation failed: 3 == 4"]), 1, "8 passed, 1 failed", "outside of a test: Expectation")

    def test_a_script_that_fails_twice(self):
        self.script("b", "fail", "fail")
        self.commit()
        self.expect(self.run_it(), 1, "7 passed, 1 failed", "Failed: b: no", "failed again: no")

    def test_a_script_that_passes_alone(self):
        self.script("b", "fail")
        self.commit()
        self.expect(self.run_it(), 0, "8 passed, 0 failed", "flaky: b: no", "1 flaky")

    def test_crashes_of_scripts_have_no_second_look(self):
        for act in ("killed", "crashed"):
            self.script("b", act)
            self.commit()
            self.expect(self.run_it(), 1, "7 passed, 1 failed", "Failed: b", "; a crash")

    def test_a_crash_after_the_last_test(self):
        ran = self.run_it(second=["fail", "pass"], ends="error: Exited with unexpected signal code 11")
        self.expect(ran, 1, "7 passed, 2 failed", "unexpected signal code 11; all tests had ended", "; a crash", "beside a crash")

    def test_a_script_that_cannot_be_started(self):
        (self.root / "scripts/test-b.sh").chmod(0o644)
        self.commit()
        self.expect(self.run_it(), 1, "7 passed, 1 failed", "Permission denied")

    def test_a_tree_that_was_committed_meanwhile_is_not_green(self):
        self.write("scripts/test-b.sh", f"#!/bin/sh\ncd {self.root} && echo >>README.md && git -c user.name=a -c user.email=b commit -qam c\n")
        self.commit()
        self.expect(self.run_it(), 0, "8 passed, 0 failed")
        self.assertFalse((self.cache / "tertulia/green").exists())

    def test_a_long_soak_run_has_several_storms(self):
        for minutes, count in ((10, 1), (60, 3)):
            logs = pathlib.Path("logs")
            storms = [arguments for _, (program, *arguments) in soak.parts(minutes, 7, logs) if program == "storm"]
            lengths, seeds, recordings = zip(*storms, strict=True)
            self.assertEqual(seeds, tuple(range(7, 7 + count)))
            self.assertEqual(recordings, tuple(logs / f"storm-{number}.json.gz" for number in range(count)))
            self.assertEqual(sum(lengths), minutes * 24)
            self.assertTrue(all(seconds <= soak.LONGEST for seconds in lengths))

    def test_a_long_line_is_cut_on_the_screen_alone(self):
        self.write("scripts/test-a.sh", "#!/bin/sh\nprintf 'x%.0s' $(seq 100000); exit 1\n")
        self.commit()
        _, lines = self.run_it()
        self.assertIn("    " + "x" * 400, lines)
        # A failed test is told with the words of both looks.
        self.assertLess(max(map(len, lines)), 1_100)
        self.assertEqual((self.root / ".build/test-logs/a.log").read_text(), "x" * 100_000)

    def test_the_lists_name_what_is_there(self):
        scripts = {file.stem.removeprefix("test-") for file in ROOT.glob("scripts/test-*.sh")}
        self.assertEqual(plan.CHECKS.keys() | plan.SCRIPTS.keys(), scripts)
        for place in __main__.SOAKED + second_look.EXACT + second_look.SCRIPTED:
            self.assertTrue((ROOT / place).exists(), place)
        for name in second_look.EXACT_SCRIPTS:
            self.assertTrue((ROOT / f"scripts/test-{name}.sh").exists(), name)

    def test_the_order_and_the_table_of_times(self):
        _, lines = self.run_it()
        order = [line[len("ok     "):].partition("  ")[0] for line in lines if line.startswith("ok")]
        self.assertEqual(order, ["prepare", "format", "lint", "figures", "build", "swift tests", "a", "b"])
        table = lines[lines.index("Seconds of each step, the longest first:") + 1:][:len(order)]
        self.assertEqual(sorted(line.split(None, 1)[1] for line in table), sorted(order))

    def test_what_fails_in_seconds_ends_the_run(self):
        self.expect(self.run_it(format=["fail", "pass"]), 1, "2 passed, 1 failed", "Failed: format", "0 Swift tests and 3 scripts")
        self.script("lint", "fail", "pass")
        self.commit()
        self.expect(self.run_it(), 1, "2 passed, 1 failed", "Failed: lint: no", "the same each time")

    def test_without_a_build_nothing_is_tested(self):
        self.expect(self.run_it(build=["fail", "pass"]), 1, "3 passed, 1 failed", "Failed: build", "0 Swift tests and 4 scripts")

    def test_a_crash_of_the_package_manager_has_a_second_look(self):
        self.expect(self.run_it(build=["crash", "pass"]), 0, "8 passed, 0 failed", "flaky: build: ", "1 flaky")
        ran = self.run_it(build=["crash", "fail"])
        self.expect(ran, 1, "3 passed, 1 failed", "Failed: build", "failed again", "0 Swift tests and 4 scripts")
        # What was built is tested all the same.
        ran = self.run_it(build=["crash", "pass"])
        self.expect(ran, 1, "7 passed, 1 failed", "Failed: build", "was flaky lately", "2 Swift tests and 6 scripts")

    def test_a_script_without_an_end(self):
        self.set_limits(b=3)
        self.script("b", "hang", "pass")
        self.commit()
        self.expect(self.run_it(), 1, "7 passed, 1 failed", "Failed: b: no end after ", "; a hang")
        for process in (self.home / "hanging").read_text().split():
            self.assertFalse(pathlib.Path("/proc", process).exists(), process)
        self.assertTrue((self.home / "clean").exists())

    def test_a_swift_test_without_an_end(self):
        self.set_limits(swift_tests=10)
        self.commit()
        ran = self.run_it(first=["fail", "pass"], second=["hang", "pass"])
        self.expect(ran, 1, "6 passed, 2 failed", "no end after ", " s; AppTests.Two/b(_:) had begun", "; a hang", "beside a hang")

    def test_an_end_that_does_not_come_after_the_last_test(self):
        self.set_limits(swift_tests=10)
        self.commit()
        self.expect(self.run_it(ends="hang"), 1, "8 passed, 1 failed", "no end after ", " s; all tests had ended", "; a hang")

    def test_a_python_package_that_cannot_be_fetched(self):
        wheel = self.home / "wheels/friend-1.0-py3-none-any.whl"
        wheel.parent.mkdir()
        with zipfile.ZipFile(self.home / "friend.whl", "w") as file:
            for name, text in WHEEL.items():
                file.writestr(name, text)
        digest = hashlib.sha256((self.home / "friend.whl").read_bytes()).hexdigest()
        self.write("Tests/Client/requirements.txt", f"friend==1.0 --hash=sha256:{digest}\n")
        self.commit()
        offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheel.parent)}
        ran = self.run_it(environment=offline)
        self.expect(ran, 1, "0 passed, 1 failed", "Failed: environment: Failed three times: client_python", "No matching distribution")
        self.assertFalse((self.cache / "tertulia/green").exists())
        # What was made of the environment does not look complete to the next run.
        (self.home / "friend.whl").rename(wheel)
        self.expect(self.run_it(environment=offline), 0, "8 passed, 0 failed")
        self.assertTrue(list(self.root.glob(".build/client-venv/lib/*/site-packages/friend-1.0.dist-info")))

    def test_a_debian_package_that_cannot_be_fetched(self):
        self.program("dpkg-query", "exit 1")
        self.expect(self.run_it(), 1, "0 passed, 1 failed", "Failed: environment: Failed three times:", "apt-get update")

    def test_without_swift(self):
        self.program("swift", "echo 'Swift version 5.9'")
        self.expect(self.run_it(), 1, "0 passed, 1 failed", "Failed: environment")

    def test_a_swift_package_that_cannot_be_fetched(self):
        self.expect(self.run_it(package=["fail", "fail", "fail"]), 1, "0 passed, 1 failed", "Failed: environment: Failed three times: swift package")

    def test_a_change_of_what_fails_by_chance_owes_a_soak_run(self):
        self.run_it()
        self.assertFalse(self.is_said("soak owed"))
        self.change("Sources/ChangeFeed/Tail.swift")
        self.expect(self.run_it(), 0, "8 passed, 0 failed", "soak owed: Sources/ChangeFeed/Tail.swift")
        tree = self.git("rev-parse", "HEAD^{tree}")
        with (self.cache / "tertulia/soak").open("w") as record:
            print("2026-11-01T00:00Z", "abc", tree, 1, 5, "green", sep="\t", file=record)
            print("2026-11-01T00:00Z", "abc", tree, 1, 10, "failed: storm", sep="\t", file=record)
        self.expect(self.run_it(), 0, "8 passed, 0 failed", "soak owed")
        with (self.cache / "tertulia/soak").open("a") as record:
            print("2026-11-01T00:00Z", "abc", tree, 1, 10, "green", sep="\t", file=record)
        self.run_it()
        self.assertFalse(self.is_said("soak owed"), self.output)


if __name__ == "__main__":
    unittest.main()
