"""rndm: its screens, an evening without a network, and 200 likes at once."""

import asyncio

from .world import PASSWORD


async def walk(world):
    ana, ben = await world.instance("ana"), await world.instance("ben")
    for person in ana, ben:
        await person.until("rndm · Sign in")
        await person.type("signup", f"{person.name}@example.org", person.name, PASSWORD)
        await person.until("rndm · funny · live")

    # Compose, the feed of the other device, and the ellipsis on one's own alone.
    await ana.type("post", "funny", "A horse walks into a bar.")
    await ana.until("1. ana", "A horse walks into a bar.", "☆ 0 · ✎ 0 …", without=["⧗"])
    await ben.until("A horse walks into a bar.", "☆ 0 · ✎ 0", without=["✎ 0 …"])
    await ben.type("delete 1")
    await ben.until("! That is somebody else's thought.")
    await ben.type("post", "serious", "Time is short.")
    await ben.type("serious")
    await ben.until("rndm · serious · live", "Time is short.")
    await ana.type("serious")
    await ana.until("Time is short.")
    await ana.type("like 1")
    await ana.until("★ 1")
    await ben.until("☆ 1")
    await ana.type("like 1")
    await ana.until("☆ 0")
    await ben.until("☆ 0")
    await ana.type("post", "nothing", "No category.")
    await ana.until("! The category is funny, serious or crazy.")

    # Popular sorts by likes, and follows them.
    for person in ana, ben:
        await person.type("popular")
        await person.until("rndm · popular · live", "1. ben", "2. ana")
    await ben.type("like 2")
    await ana.until("1. ana", "☆ 1", "2. ben")
    await ben.until("1. ana", "★ 1", "2. ben")

    # Comments of a thought, on both devices.
    for person in ana, ben:
        await person.type("funny")
        await person.until("rndm · funny · live", "A horse walks into a bar.")
        await person.type("open 1")
        await person.until("rndm · Comments · live", "A horse walks into a bar.")
    await ben.type("say Why the long face?")
    await ben.until("✎ 1", "1. ben: Why the long face? …", without=["⧗"])
    await ana.until("✎ 1 …", "1. ben: Why the long face?", without=["long face? …"])
    await ana.type("delete 1")
    await ana.until("! That is somebody else's comment.")
    await ben.type("edit 1", "Why so long a face?")
    await ana.until("1. ben: Why so long a face? · edited")
    await ana.type("say It is a horse.")
    await ben.until("2. ana: It is a horse.", "✎ 2")
    await ben.type("delete 1")
    await ana.until("1. ana: It is a horse.", "✎ 1", without=["ben: "])
    for person in ana, ben:
        await person.type("back")
    await ana.type("edit 1", "A horse walks into a café.")
    await ben.until("A horse walks into a café.")

    await offline(world, ana, ben)

    # With a thought go its comments.
    await ana.type("delete 2")
    await ben.until("1. ben", "Written on a train.", without=["horse"])
    await ana.until("Written on a train.", without=["horse"])
    assert await world.count("select count(*) from comments") == 0

    # Whoever logs out sees the sign-in screen, and a run that begins then, too.
    await ben.type("logout")
    await ben.until("rndm · Sign in", without=["Written on a train."])
    await ben.restart()
    await ben.until("rndm · Sign in")
    await ben.type("signin", "ben", "not the password")
    await ben.until("rndm · Sign in", "! ", without=["…"])
    await ben.type("signin", "ben", PASSWORD)
    await ben.until("rndm · funny · live", "Written on a train.")
    await likes(world, ana)


async def offline(world, ana, ben):
    """What ben writes without a network and before he is killed is there once."""
    await world.stop_server()
    await ben.until("rndm · funny · offline", "A horse walks into a café.")
    await ben.type("like 1")
    await ben.until("☆ 0", "⧗ 1 to send")
    await ben.type("post", "funny", "Written on a train.")
    await ben.until("Written on a train.", "⧗ 2 to send")
    await ben.type("open 1", "say Said in a tunnel.")
    await ben.until("⧗ Said in a tunnel.", "✎ 2", "⧗ 3 to send")
    await ben.restart()
    await ben.until("A horse walks into a café.", "☆ 0 · ✎ 2", "Written on a train.", "⧗ 3 to send", without=["live"])
    await ben.type("logout")
    await ben.until("! 3 writes wait.")
    await world.resume_server()
    await ben.until("rndm · funny · live", "Written on a train.", "☆ 0 · ✎ 2", without=["⧗"])
    await ana.until("1. ben", "Written on a train.", "☆ 0 · ✎ 2 …")
    await ana.type("open 2")
    await ana.until("ben: Said in a tunnel.")
    await ana.type("back")
    for table, text in ("thoughts", "Written on a train."), ("comments", "Said in a tunnel."):
        assert await world.count(f"select count(*) from {table} where text = '{text}'") == 1


async def likes(world, author, people=20, thoughts=10):
    """200 likes at once from 20 instances."""
    await author.type("crazy")
    for number in range(thoughts):
        await author.type("post", "crazy", f"Idea {number}")
    await author.until("rndm · crazy · live", *[f"Idea {number}" for number in range(thoughts)], without=["⧗"])
    author.quiet = True
    crowd = []
    for number in range(people):
        person = await world.instance(f"person{number}")
        person.quiet = True
        crowd.append(person)
        await person.until("Sign in")
        await person.type("signup", f"{person.name}@example.org", person.name, PASSWORD)
    for person in crowd:
        await person.until("rndm · funny · live")
        await person.type("crazy")
    for person in crowd:
        await person.until("rndm · crazy · live", *[f"Idea {number}" for number in range(thoughts)])
    await asyncio.gather(*[person.type(*[f"like {number + 1}" for number in range(thoughts)]) for person in crowd])
    rows = [f"{number + 1}. {author.name}" for number in range(thoughts)]
    for person in crowd:
        await person.until(*rows, f"★ {people} ", without=["⧗", "☆", *[f"★ {less} " for less in range(people)]])
    author.quiet = False
    await author.until(f"☆ {people} ", without=[f"☆ {less} " for less in range(people)])
    counted = await world.ask("{ thoughts(filter: {categories: [CRAZY]}, first: 100) { nodes { likeCount } } }")
    counts = [node["likeCount"] for node in counted["thoughts"]["nodes"]]
    assert counts == [people] * thoughts, counts
    stored = await world.count(
        "select count(*) from thought_likes l join thoughts t on t.id = l.thought_id where t.text like 'Idea%'")  # fmt: skip
    assert stored == people * thoughts, stored
    print(f"{people} instances, {sum(counts)} likes")
