"""The run of scripts/test: steps, the second look at what failed, and the verdict.

Usage: python -m testing ROOT SCRATCH [ARGUMENTS OF SWIFT TEST]
"""

import os
import pathlib
import re
import subprocess
import sys
import time

from . import plan, second_look, steps, swift_tests
from .checkout import Checkout
from .records import Records
from .second_look import Failure, SecondLook
from .steps import say

FORMATTED = ["Package.swift", "Sources", "Tests", "Examples", "Plugins", "schema", "migrations"]

# A fault here loses or doubles an event or a write only now and then; only a soak run finds it.
SOAKED = (
    "Sources/App/Accounts/", "Sources/App/Changes/", "Sources/App/Notifications/", "Sources/Auth/", "Sources/ChangeFeed/",
    "Sources/GraphQLTransport/Connection/", "Sources/GraphQLTransport/Multipart/", "Sources/GraphQLTransport/SSE/",
    "Sources/GraphQLTransport/Streaming/", "Sources/GraphQLTransport/WebSocket/", "Sources/Postgres/",
    "Sources/TertuliaClient/Live/", "Sources/TertuliaClient/Outbox/", "Sources/TertuliaClient/Session/", "migrations/",
)  # fmt: skip
SOAK_MINUTES = 10
# The most tests that are named after a crash or a hang.
NAMED = 8


class Run:
    def __init__(self, root, scratch):
        self.root, self.scratch = root, scratch
        self.logs = scratch / "test-logs"
        self.checkout, self.records = Checkout(root), Records()
        self.changed, self.tree = self.checkout.changed(), self.checkout.tree
        self.look = SecondLook(self.records.flaky_lately())
        self.tests = self.scripts = 0
        # The seconds of each step and its name.
        self.times = []
        self.began = time.monotonic()

    def log(self, name):
        return self.logs / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', name)}.log"

    def script(self, name, limit, *command, why_final=None):
        """Runs a program, which counts as one test. Returns whether it passed at the first or the second look.

        - limit: the seconds after which it is ended.
        - why_final: a function of its first end: why there is no second look, None where there is one.
        """
        self.scripts += 1
        ended = steps.run(command, self.log(name), limit)
        self.tell(name, ended, ended.code == 0)
        if ended.code == 0:
            return True

        def again(file):
            second = steps.run(command, self.log(file), limit)
            self.tell(file, second, second.code == 0)
            return None if second.code == 0 else second.words, second.log

        failure = Failure(name, ended.words, ended.log, again=again)
        why_final = why_final or (lambda ended: second_look.why_script_is_final(name, ended, self.changed))
        failure.why_final = why_final(ended)
        self.look.take([failure])
        return failure.has_passed_alone

    def tell(self, name, ended, is_ok, words=""):
        self.times.append((ended.seconds, name))
        steps.tell(name, ended, is_ok, words)

    def prepare(self):
        """Returns whether all that the tests need is there. No test ran where it is not."""
        ended = steps.run([self.root / "scripts/prepare"], self.log("prepare"), plan.PREPARE_LIMIT)
        self.tell("prepare", ended, ended.code == 0)
        if ended.code != 0:
            self.look.take([Failure("environment", ended.words, ended.log, "a hang" if ended.is_hang else "tried three times")])
        return ended.code == 0

    def check(self):
        """Returns whether everything that is the same each time and takes seconds passed."""
        lint = ["swift", "format", "lint", "--strict", "--recursive", "--parallel", *FORMATTED]
        why_final = second_look.why_check_is_final
        passed = [self.script("format", plan.limit(plan.FORMAT), *lint, why_final=why_final)]
        for name, usual in plan.CHECKS.items():
            passed.append(self.script(name, plan.limit(usual), self.file(name), why_final=why_final))
        return all(passed)

    def build(self):
        build = ["swift", "build", "--scratch-path", self.scratch, "--build-tests", "--disable-automatic-resolution"]
        return self.script("build", plan.BUILD_LIMIT, *build, why_final=second_look.why_build_is_final)

    def file(self, name):
        return self.root / f"scripts/test-{name}.sh"

    def other_scripts(self):
        for name, usual in sorted(plan.SCRIPTS.items(), key=lambda script: script[1]):
            self.script(name, plan.limit(usual), self.file(name))

    def swift_tests(self, arguments):
        # scripts/test-offline.sh runs the tests that start servers.
        log = self.log("swift tests")
        run = swift_tests.run(self.scratch, log, "--skip", "RealServerTests", *arguments)
        self.tests, ended = run.count, run.ended
        is_sound = run.is_complete and run.count > 0 and not run.failed and not run.stray and ended.code == 0
        self.tell("swift tests", ended, is_sound, f"{run.count} tests")
        failures = [self.failed_test(test, log) for test in run.failed]
        if run.stray:
            failures.append(Failure("swift test", f"outside of a test: {run.stray[0]}", log, "of no test"))
        if not run.is_complete or ended.has_crashed or ended.is_hang:
            kind = "a hang" if ended.is_hang else "a crash"
            failures.append(Failure("swift test", f"{ended.words}; {self.where(run)}", log, kind))
            # A second look would probably end so, too.
            for failure in failures:
                failure.why_final = failure.why_final or f"beside {kind}"
        elif not failures and not is_sound:
            failures.append(Failure("swift test", f"ended with status {ended.code} after {run.count} tests", log, "of no test"))
        self.look.take(failures)

    @staticmethod
    def where(run):
        """Which tests had begun when the process ended, in words."""
        if run.is_complete:
            return "all tests had ended"
        names = ", ".join(test.name for test in run.running[:NAMED]) or "no test"
        more = f" and {len(run.running) - NAMED} more" if len(run.running) > NAMED else ""
        return f"{names}{more} had begun"

    def failed_test(self, test, log):
        def again(file):
            second = swift_tests.run_again(self.scratch, self.log(file), test)
            passed = second.is_complete and second.count == 1 and second.ended.code == 0 and not second.ended.has_crashed
            self.tell(file, second.ended, passed)
            words = next((issue for test in second.failed for issue in test.issues), second.ended.words)
            return None if passed else words, second.ended.log

        file = os.path.relpath(test.file, self.root)
        return Failure(test.name, test.issues[0], log, second_look.why_test_is_final(test, file, self.changed), again)

    def owes_soak(self):
        """The first of the changed files for which no green soak run of this tree is recorded."""
        file = next((file for file in sorted(self.changed) if file.startswith(SOAKED)), None)
        return None if file is None or (self.tree and self.records.has_soaked(self.tree, SOAK_MINUTES)) else file

    def verdict(self, is_whole):
        """Prints what the run found. Programs parse the last line.

        - is_whole: whether all tests ran; else nothing is recorded.
        """
        look, seconds = self.look, time.monotonic() - self.began
        say("Seconds of each step, the longest first:")
        for taken, name in sorted(self.times, reverse=True):
            say(f"    {taken:5.0f}  {name}")
        for failure in look.failures:
            say(f"Failed: {failure.name}: {failure.words[:600]}")
            say(f"    in {failure.log}; {failure.why_final}")
        for name, words, first, second in look.flaky:
            say(f"flaky: {name}: {words[:300]}\n    in {first}, passed in {second}")
        if look.is_too_flaky:
            say(f"Failed: more than {second_look.MOST_FLAKY} flaky names")
        if is_whole and (file := self.owes_soak()):
            say(f"soak owed: {file} is changed; scripts/soak {SOAK_MINUTES}")
        failed = len(look.failures) + look.is_too_flaky
        if is_whole:
            self.records.add_flaky(self.checkout.commit, [name for name, *_ in look.flaky])
            # What was committed meanwhile was not tested.
            if failed == 0 and self.tree and self.tree == self.checkout.tree:
                self.records.add_green(self.tree, seconds, len(look.flaky), versions())
        say(f"{self.tests} Swift tests and {self.scripts} scripts in {seconds:.0f} seconds")
        say(f"{len(look.flaky)} flaky")
        passed = self.tests + self.scripts - sum(failure.again is not None for failure in look.failures)
        say(f"{passed} passed, {failed} failed")
        return 1 if failed else 0


def versions():
    """Of what the tests ran on, in one line."""
    commands = [["swift", "--version"], ["pg_config", "--version"], ["pkg-config", "--modversion", "libpq"]]
    lines = []
    for command in commands:
        try:
            lines += subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()[:1]
        except OSError:
            lines.append(f"no {command[0]}")
    return ", ".join(lines)


def main(root, scratch, arguments):
    run = Run(root, scratch)
    # Where one of these fails, what follows would tell nothing new.
    is_built = run.prepare() and run.check() and run.build()
    if is_built:
        run.swift_tests(arguments)
        run.other_scripts()
    return run.verdict(is_whole=is_built and not arguments)


if __name__ == "__main__":
    # It found this package, and is not for the programs that the run starts.
    os.environ.pop("PYTHONPATH", None)
    steps.adopt()
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]))
