"""Prints how many tests the xunit files of a directory name, then a line for each that failed.

Usage: count-tests.py DIRECTORY
"""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

cases = [case for file in Path(sys.argv[1]).glob("*.xml") for case in ElementTree.parse(file).iter("testcase")]
print(len(cases))
for case in cases:
    if (failure := case.find("failure")) is not None:
        print(f"{case.get('classname')}.{case.get('name')}: {' '.join((failure.get('message') or '').split())[:300]}")
