"""Walks the screens of the apps in Examples/Apps against real servers, and prints them.

Usage: python -m apps PRODUCTS [APP…], where PRODUCTS is the folder of the executables
"""

import asyncio
import importlib
import os
import pathlib
import sys

from . import figures
from .world import World

APPS = ["rndm", "reswift", "posts", "practica", "socials"]

os.environ |= {"PASSWORD_HASH_LOG_N": "10", "WRITES_PER_MINUTE": "0", "MAILS_PER_HOUR": "0"}


async def main(products, apps):
    figures.check()
    for app in apps:
        print(f"\n=== {app} ===", flush=True)
        async with World(products, app) as world:
            await importlib.import_module(f".{app}", __package__).walk(world)
        print(f"{app}: every screen was shown", flush=True)


asyncio.run(main(pathlib.Path(sys.argv[1]), sys.argv[2:] or APPS))
