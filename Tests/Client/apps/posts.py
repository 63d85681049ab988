"""posts: its screens, reading and writing without a network, and private messages."""

from .world import PASSWORD


async def walk(world):
    ana, ben = await world.instance("ana"), await world.instance("ben")
    for person in ana, ben:
        await person.until("posts · Login")
        await person.type("signup", f"{person.name}@example.org", person.name, PASSWORD)
        await person.until("posts · Home · live")
    await ana.type("dark")
    await ana.until("\x1b[97;40m")
    await ana.type("light")
    await ana.until("posts · Home", without=["\x1b["])

    # Compose, home on both devices, detail with comments, and the sheet.
    photo = world.picture("harbour.png", 64, 32)
    await ana.type("compose", "Harbour", "The boats are back.", str(photo))
    for person in ana, ben:
        await person.until("1. Harbour · ana", "The boats are back.", "█ http", "♡ 0 · ✎ 0 · ↗ 0", without=["⧗"])
    await ana.type("compose", "Broken", "No such file.", "/nowhere.png")
    await ana.until("! nowhere.png is no picture.")
    for person in ana, ben:
        await person.type("open 1")
        await person.until("posts · Detail", "The boats are back.")
    await ben.type("comment All of them?")
    for person in ana, ben:
        await person.until("ben: All of them?", "✎ 1", without=["⧗"])
    await ben.type("sheet")
    await ben.until("posts · Sheet", "message TEXT", without=["│ delete"])
    await ben.type("like", "save", "share")
    await ben.until("♥ 1 · ✎ 1 · ↗ 1 · saved", "! http", without=["⧗"])
    await ana.until("♡ 1 · ✎ 1 · ↗ 1", without=["saved"])

    # A private message, and its answer.
    await ben.type("message May I use your picture?")
    await ana.type("back", "inbox")
    await ana.until("posts · Inbox", "May I use your picture? · 1 unread")
    await ana.type("open 1")
    await ana.until("posts · Conversation", "ben: May I use your picture?")
    await ana.type("say Of course.")
    await ana.until("ana: Of course.", without=["⧗"])
    await ben.type("back", "back", "inbox")
    await ben.until("posts · Inbox", "Of course. · 1 unread")
    await ben.type("open 1")
    await ben.until("ben: May I use your picture?", "ana: Of course.")
    await ben.type("back", "back", "saved")
    await ben.until("posts · Saved", "Harbour · ana")
    for person in ana, ben:
        await person.type("back", "back")
        await person.until("posts · Home · live")

    await offline(world, ana, ben)

    await ana.type("open 2", "sheet", "delete")
    for person in ana, ben:
        await person.until("posts · Home", "1. Train · ben", without=["Harbour"])
    await ben.type("logout")
    await ben.until("posts · Login", without=["Train"])


async def offline(world, ana, ben):
    """Everything that was read is there without a network, after a kill too; what is written then is there once."""
    await world.stop_server()
    await ben.until("posts · Home · offline", "1. Harbour")
    await ben.restart()
    await ben.until("posts · Home", "1. Harbour · ana", "♥ 1 · ✎ 1 · ↗ 1 · saved", without=["live"])
    await ben.type("saved")
    await ben.until("posts · Saved", "Harbour · ana")
    await ben.type("back", "open 1")
    await ben.until("posts · Detail", "ben: All of them?")
    await ben.type("comment Every one.", "sheet", "like", "message On my way.", "back", "back")
    await ben.until("posts · Home", "♡ 0 · ✎ 2", "⧗ 3 to send")
    await ben.type("compose", "Train", "Written on a train.", "")
    await ben.until("Written on a train.", "⧗ 4 to send")
    await ben.restart()
    await ben.until("posts · Home", "♡ 0 · ✎ 2", "Written on a train.", "⧗ 4 to send", without=["live"])
    await world.resume_server()
    for person in ana, ben:
        await person.until("posts · Home · live", "1. Train · ben", "2. Harbour · ana", "♡ 0 · ✎ 2", without=["⧗"])
    await ana.type("inbox")
    await ana.until("On my way. · 1 unread")
    await ana.type("back")
    for table, text in ("thoughts", "Written on a train."), ("comments", "Every one."), ("messages", "On my way."):
        assert await world.count(f"select count(*) from {table} where text = '{text}'") == 1
    assert await world.count("select count(*) from thought_likes") == 0
