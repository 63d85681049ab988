import Testing

@testable import App

@Suite struct NameSkeletonTests {
    /// Unicode Technical Standard #39, section 4: paypal with Cyrillic letters, and others of confusables.txt.
    @Test(arguments: [
        ("раураl", "paypal"), ("Scоpe", "scope"), ("rnaria", "maria"), ("ａｄ", "aｄ"), ("А\u{301}na", "Ána"),
        ("a\u{200D}na", "ana"), ("bi11", "bill"), ("ΑNA", "ana"), ("𝐚𝐧𝐚", "ana"),
    ])
    func namesThatLookAlikeHaveOneSkeleton(_ one: String, _ other: String) {
        #expect(NameSkeleton.of(one) == NameSkeleton.of(other))
    }

    @Test(arguments: [("ana", "ane"), ("Иван", "Иво"), ("joe", "j0e1"), ("东京", "東京")])
    func otherNamesHaveOthers(_ one: String, _ other: String) {
        #expect(NameSkeleton.of(one) != NameSkeleton.of(other))
    }

    @Test(arguments: [
        ("Ana María", false), ("Аnа", true), ("Иван Petrov", true), ("山田タロウ", false), ("山田たろう 3", false),
        ("김 철수 金", false),
        ("Ana 山田", true), ("علي 👋", false), ("αβγ", false), ("раypal", true), ("", false), ("123 🎉", false),
    ])
    func scriptsAreMixed(_ name: String, _ areMixed: Bool) { #expect(Scripts.areMixed(in: name) == areMixed) }

    @Test(arguments: [
        "admin", "root", "support", "moderator", "tertulia", "a.d.m.i.n", "_admin_", "rnoderator", "...", "___", "._.",
        "tertu1ia",
    ])
    func isReserved(_ username: String) { #expect(ReservedUsernames.contains(username)) }

    @Test(arguments: ["administrador", "anna", "mod", "support_group_ana", "rooter", "a_1"])
    func isFree(_ username: String) { #expect(!ReservedUsernames.contains(username)) }
}
