/// The words of which demo data are made.
enum DemoVocabulary {
    static let givenNames = [
        "Ana", "Bruno", "Clara", "Diego", "Elena", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kira", "Leo", "Mina",
        "Noah", "Olga", "Pablo", "Quim", "Rosa", "Sami", "Tessa", "Umar", "Vera", "Wim", "Xenia", "Yara", "Zoe",
    ]

    static let familyNames = [
        "Almeida", "Bauer", "Costa", "Dubois", "Eriksen", "Ferrari", "Gomez", "Haddad", "Ivanova", "Jansen", "Kaya",
        "Lindgren", "Moreau", "Novak", "Okafor", "Pereira", "Quist", "Rossi", "Silva", "Tanaka", "Urban", "Vidal",
        "Weber", "Yilmaz", "Zeman",
    ]

    static let openings = [
        "I have come to believe that", "Nobody told me that", "It turns out that", "My grandmother was right:",
        "Unpopular opinion:", "After ten years of trying,", "Today I learned that", "Serious question: is it true that",
        "There should be a law that says", "Somewhere between the first and the third coffee,",
    ]

    static let subjects = [
        "the best conversations", "most meetings", "libraries at night", "old bicycles", "unread books",
        "people who answer letters", "cats in windows", "second drafts", "long tables", "slow trains",
        "borrowed umbrellas",
        "quiet cafés",
    ]

    static let predicates = [
        "happen after everybody has put on a coat.", "know more than they let on.", "are worth the detour.",
        "would improve with soup.", "keep the whole town going.", "deserve a holiday of their own.",
        "end where they should have begun.", "are only late because we are early.", "make the rain sound better.",
        "never run out of stories.",
    ]

    static let replies = [
        "So true.", "I would have said the opposite yesterday.", "Tell that to my neighbours!", "This made my day.",
        "Sources, please?", "Can we talk about this on Thursday?", "I laughed out loud on the tram.",
        "You forgot the best part.", "Counting me in.", "My turn to bring the cake.",
    ]

    static let gatherings = [
        "Reading circle", "Chess by the river", "Open microphone", "Soup night", "Philosophy for beginners",
        "Board games", "Sketching walk", "Language exchange", "Film in the courtyard", "Repair café",
    ]

    static let places = [
        ("Café Central, Madrid", "Europe/Madrid"), ("Kaffeehaus am Markt, Wien", "Europe/Vienna"),
        ("The Old Mill, Dublin", "Europe/Dublin"), ("Livraria da Esquina, Lisboa", "Europe/Lisbon"),
        ("Librería del Sur, Buenos Aires", "America/Argentina/Buenos_Aires"), ("Tea House, Kyoto", "Asia/Tokyo"),
    ]
}
