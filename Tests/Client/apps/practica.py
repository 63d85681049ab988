"""practica: its screens from an anonymous person's first launch to drafts, ratings and statistics."""

from .world import PASSWORD


async def walk(world):
    ana, ben = await world.instance("ana"), await world.instance("ben")
    for person in ana, ben:
        await person.until("practica · Posts · anonymous · live")

    # The menu, where an anonymous person wants to write: cancel, then register.
    await ana.type("write")
    await ana.until("practica · Menu", "To write, register or sign in.")
    await ana.type("cancel", "mine")
    await ana.until("practica · Menu")
    await ana.type("register", "ana@example.org", "ana", PASSWORD)
    await ana.until("practica · Mine")

    # A draft, which its author alone sees, and its switch.
    await ana.type("write", "Chairs", "On sitting.", "", "no")
    await ana.until("1. Chairs", "publish [  ]", without=["⧗"])
    await ana.type("publish 1")
    await ana.until("1. Chairs", "publish [on]", without=["⧗"])
    await ben.until("1. Chairs · ana", "not rated")
    photo = world.picture("table.png", 40, 40)
    await ana.type("write", "Tables", "On eating.", str(photo), "yes")
    await ana.until("1. Tables", "2. Chairs", without=["⧗"])
    await ben.until("1. Tables · ana", "2. Chairs · ana")

    # Details with a placeholder or a photo, and the bar to rate.
    await ben.type("open 2")
    await ben.until("practica · Post", "an empty chair", "On sitting.", "☆☆☆☆☆")
    await ben.type("rate 2")
    await ben.until("★★☆☆☆ · 2.0 of 1", without=["⧗"])
    await ben.type("rate 5")
    await ben.until("★★★★★ · 5.0 of 1", without=["⧗"])
    await ben.type("rate 6")
    await ben.until("! A rating is 1 to 5.")
    await ben.type("back", "open 1")
    await ben.until("practica · Post", "█ http", "On eating.")
    await ben.type("back")
    await ana.type("back")
    await ana.until("practica · Posts · member · live", "2. Chairs", "5.0 of 1")
    await ana.type("open 2", "rate 2")
    await ana.until("★★☆☆☆ · 3.5 of 2")
    await ana.type("back", "mine", "statistics 2")
    await ana.until("practica · Statistics", "ratings: 2", "mean: 3.5")
    await ana.type("back", "mine", "edit 2", "Stools", "On sitting without a back.")
    await ana.until("practica · Mine", "2. Stools", without=["⧗"])
    await ben.until("2. Stools")
    await ana.type("publish 1")
    await ana.until("1. Tables", "publish [  ]", without=["⧗"])
    await ben.until("1. Stools", without=["Tables"])

    await offline(world, ana, ben)

    await ana.type("delete 1")
    await ana.until("1. Tables", "2. Stools", without=["Lamps", "⧗"])
    await ana.type("publish 1")
    await ana.until("1. Tables", "publish [  ]", without=["⧗"])
    await ben.until("1. Stools", without=["Lamps", "Tables"])

    # Logging out brings an anonymous account again, which sees nothing private.
    await ana.type("logout")
    await ana.until("practica · Posts · anonymous · live", "1. Stools", without=["Tables"])
    await ana.type("mine", "signin", "ana", PASSWORD)
    await ana.until("practica · Mine", "1. Tables", "2. Stools")
    # The ratings of an anonymous person who signs in and of the account count once.
    await ben.type("mine", "signin", "ana", PASSWORD)
    await ben.until("practica · Mine", "1. Tables", "2. Stools")
    await ben.type("statistics 2")
    await ben.until("practica · Statistics", "ratings: 1")


async def offline(world, ana, ben):
    """Drafts, switches and ratings without a network are there once."""
    await world.stop_server()
    await ben.until("practica · Posts · anonymous · offline", "1. Stools")
    await ben.type("open 1", "rate 1")
    await ben.until("★☆☆☆☆", "⧗ 1 to send")
    await ana.type("publish 1")
    await ana.until("1. Tables", "publish [on]", "⧗ 1 to send", without=["publish [  ]"])
    await ana.type("write", "Lamps", "On reading.", "", "yes")
    await ana.until("On reading.", "⧗ 2 to send")
    for person in ana, ben:
        await person.restart()
        await person.until("practica · Posts", "1. Stools", without=["live"])
    await ana.type("mine")
    await ana.until("practica · Mine", "On reading.", "1. Tables", "2. Stools", "⧗ 2 to send", without=["publish [  ]"])
    await ben.until("⧗ 1 to send")
    await world.resume_server()
    await ana.until("practica · Mine", "1. Lamps", "2. Tables", "3. Stools", without=["⧗"])
    await ben.until("practica · Posts · anonymous · live", "1. Lamps", "2. Tables", "3. Stools", without=["⧗"])
    assert await world.count("select count(*) from thoughts where text = 'On reading.'") == 1
    assert await world.count("select rating_count from thoughts where title = 'Stools'") == 2
    assert await world.count("select rating_total from thoughts where title = 'Stools'") == 3
