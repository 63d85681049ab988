"""The checkout as git knows it. In a folder without git, no file counts as changed."""

import os
import subprocess


class Checkout:
    def __init__(self, root):
        self.root = root

    def _git(self, *arguments):
        """What a command of git prints, None where it fails."""
        try:
            # A checkout of another owner is asked, too: it is the one whose tests run.
            done = subprocess.run(
                ["git", "-c", f"safe.directory={self.root}", "-c", "core.quotePath=off", "-C", self.root, *arguments],
                capture_output=True, text=True, check=False)  # fmt: skip
        except OSError:
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    @property
    def commit(self):
        return self._git("rev-parse", "--short", "HEAD") or "-"

    @property
    def tree(self):
        """The hash of HEAD's tree, None where the work tree differs from it."""
        return None if self._git("status", "--porcelain") != "" else self._git("rev-parse", "HEAD^{tree}")

    def changed(self):
        """The files in which the work tree differs from main: from the commit at which HEAD left `TERTULIA_BASE`,
        origin/main by default. Empty on main itself, where everything is committed."""
        named = os.environ.get("TERTULIA_BASE")
        for main in [named] if named else ["origin/main", "main"]:
            if base := self._git("merge-base", "HEAD", main):
                break
        else:
            print("No commit to compare with: no file counts as changed.")
            return set()
        files = (self._git("diff", "--name-only", "--no-renames", base) or "").splitlines()
        return set(files) | set((self._git("ls-files", "--others", "--exclude-standard") or "").splitlines())
