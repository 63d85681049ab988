"""Programs that a run starts one after another, each with a log of its own and a limit of time."""

import contextlib
import ctypes
import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from . import plan

# The last words of the Swift runtime, of a shell whose program was killed by a signal, of SwiftPM and of the sanitizers.
CRASH = re.compile(
    r"Program crashed|Fatal error:|Segmentation fault|Illegal instruction|Trace/breakpoint trap|Aborted \(core"
    r"|unexpected signal code|ERROR: \w+Sanitizer|WARNING: ThreadSanitizer")
TAIL = 60
# The characters of a line of a log that the screen shows.
WIDEST = 400
# The status that a shell gives a program that it cannot start.
CANNOT_START = 126
# The status that timeout(1) gives.
HANG = 124
# prctl(2)
PR_SET_CHILD_SUBREAPER = 36


def say(text):
    print(text, flush=True)


def tail(log, count=TAIL):
    """The last lines of a log."""
    return log.read_text(errors="replace").splitlines()[-count:] if log.exists() else []


@dataclasses.dataclass(frozen=True)
class Ended:
    """How a program ended: `code` as a shell gives it, 128 and a signal's number after a signal."""

    code: int
    seconds: float
    log: pathlib.Path
    # The program was ended at its limit of time.
    is_hang: bool = False

    @property
    def is_signalled(self):
        """Whether a signal ended the program or the last command of its shell."""
        return not self.is_hang and self.code >= 128

    @property
    def has_crashed(self):
        """Whether a signal ended it, or its log has the words of a crash."""
        return self.is_signalled or not self.is_hang and bool(CRASH.search(self.log.read_text(errors="replace")))

    @property
    def words(self):
        """What is wrong, in a few words."""
        if self.is_hang:
            return f"no end after {self.seconds:.0f} s"
        lines = [line for line in self.log.read_text(errors="replace").splitlines() if line.strip()]
        crash = [line for line in lines if CRASH.search(line)][:1] if self.has_crashed else []
        return (crash or lines[-1:] or [f"status {self.code}"])[0][:WIDEST]


def run(command, log, limit):
    """Runs a program with its output in a log, for as many seconds as the limit at most."""
    log.parent.mkdir(parents=True, exist_ok=True)
    began, code, is_hang = time.monotonic(), None, False
    # A file, not a pipe: a process that the program leaves behind would hold a pipe open.
    with log.open("wb") as output:
        try:
            process = subprocess.Popen(
                [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)  # fmt: skip
        except OSError as error:
            output.write(f"{error}\n".encode())
            return Ended(CANNOT_START, 0, log)
        try:
            code = wait(process.pid, began + limit)
            is_hang = code is None
        finally:
            # Also where the run itself is ended.
            if code is None:
                end_all()
                code = HANG
            # Else Popen would collect the process.
            process.returncode = code
    return Ended(code, time.monotonic() - began, log, is_hang)


def wait(program, deadline):
    """Collects processes that end until the program is among them: its status as a shell gives it, None at the deadline."""
    while True:
        ended, status = collect()
        if ended == program:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        if ended == 0:
            if time.monotonic() > deadline:
                return None
            time.sleep(0.02)


def collect():
    """A child that has ended and its status, 0 for none."""
    try:
        return os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return 0, 0


def adopt():
    """Makes this process the parent of the processes that its steps leave behind, so that they are found, and lets it end by an
    exception where it is told to end, so that its step ends first."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        # nohup(1) lets a signal be ignored.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda number, _: sys.exit(128 + number))


def end_all():
    """Ends all processes below this one; those that clean up have some seconds for it."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in descendants():
            # A program of another user, which sudo started, is not this one's to end.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, number)
        deadline = time.monotonic() + plan.GRACE
        while descendants() and time.monotonic() < deadline:
            if collect()[0] == 0:
                time.sleep(0.02)
    for process in descendants():
        say(f"Process {process} could not be ended.")


def descendants():
    """The processes below this one; one that has ended counts until it is collected."""
    parents = {}
    for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # proc(5): the name, which may have any character, stands between brackets; after it the state and the parent.
            parents[int(file.parent.name)] = int(file.read_text().rpartition(")")[2].split()[1])
    found = {os.getpid()}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {os.getpid()}


def tell(name, ended, is_ok, words=""):
    """A line for a step; below it the end of the log of a step that failed."""
    verdict = "ok    " if is_ok else "FAILED"
    say(f"{verdict} {name:<14} {ended.seconds:5.0f} s  {words}".rstrip())
    if not is_ok:
        for line in tail(ended.log):
            say(f"    {line[:WIDEST]}")
        say(f"    in {ended.log}")
