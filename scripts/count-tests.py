"""Prints how many tests the xunit files of a directory name, and how many of them failed.

Usage: count-tests.py DIRECTORY
"""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

cases = [case for file in Path(sys.argv[1]).glob("*.xml") for case in ElementTree.parse(file).iter("testcase")]
print(len(cases), sum(case.find("failure") is not None for case in cases))
