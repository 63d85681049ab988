#!/usr/bin/env python3
"""Tests the playground and the example page in Chromium: run_tests.py TERTULIA EXAMPLE-SERVER [--only NAME] [--pictures FOLDER]

Each function test_* of the modules beside this file is one test, with a page of its own. No script may fail in any of
them, the page's policy must not be violated, and nothing but the server may be asked for.
"""

import argparse
import inspect
import sys
import traceback

from playwright.sync_api import sync_playwright

import harness
import test_accessibility
import test_documents
import test_event_source
import test_explorer
import test_live_feed
import test_modes
import test_runs
import test_sessions
import walk

MODULES = [test_runs, test_sessions, test_documents, test_explorer, test_modes, test_accessibility, test_live_feed, test_event_source, walk]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("tertulia")
    arguments.add_argument("example")
    arguments.add_argument("--only", default="")
    arguments.add_argument("--pictures", default="")
    arguments.add_argument("--chromium", default="/usr/bin/chromium")
    options = arguments.parse_args()
    tests = [(f"{module.__name__}.{name}", test) for module in MODULES for name, test in vars(module).items()
             if name.startswith("test_") and inspect.isfunction(test) and options.only in name]
    failed = []
    with harness.server(options.tertulia) as tertulia, harness.server(options.example) as example, sync_playwright() as playwright:
        # Chromium's own sandbox does not work for root, which containers run as. No name of another machine resolves.
        chromium = playwright.chromium.launch(
            executable_path=options.chromium,
            args=["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"])
        browser = harness.Browser(chromium)
        known = {"browser": browser, "tertulia": tertulia, "example": example, "binary": options.tertulia, "pictures": options.pictures}
        for name, test in tests:
            before = len(browser.problems)
            try:
                test(**{parameter: known[parameter] for parameter in inspect.signature(test).parameters})
                problems = browser.problems[before:]
                if problems:
                    raise AssertionError("\n".join(problems))
                print(f"  passed  {name}", flush=True)
            except Exception:
                failed.append(name)
                print(f"  FAILED  {name}\n{traceback.format_exc()}", flush=True)
        chromium.close()
    if browser.blocked:
        failed.append("the page asked others: " + ", ".join(browser.blocked))
    print(f"{len(tests)} tests in the browser, {len(failed)} failed; {len(browser.problems)} script errors and policy violations")
    if not tests or failed:
        sys.exit("\n".join(failed) or "no test has this name")


if __name__ == "__main__":
    main()
