import Testing

@testable import Auth

@Suite struct PasswordRulesTests {
    private let rules = PasswordRules()

    @Test func lengthCountsCodePointsAfterNormalisation() {
        #expect(rules.problem(with: "kx7qp2m") == .tooShort(minimum: 8))
        #expect(rules.problem(with: "kx7qp2mz") == nil)
        #expect(rules.problem(with: "kx7qp2e\u{301}") == .tooShort(minimum: 8), "Eight code points, but seven in NFC.")
        #expect(rules.problem(with: String(repeating: "kx7 ", count: 32)) == .common, "It repeats.")
        let long = (0..<128).map { String(Unicode.Scalar(0x4E00 + UInt32($0 * $0 % 7919)) ?? "x") }.joined()
        #expect(rules.problem(with: long) == nil)
        #expect(rules.problem(with: long + "x") == .tooLong(maximum: 128))
        #expect(rules.problem(with: String(repeating: "x", count: 1_000_000)) == .tooLong(maximum: 128))
    }

    @Test func namesOfTheAccountInIt() {
        #expect(rules.problem(with: "my-Ada.Love-99", username: "ada.love") == .containsUsername)
        #expect(rules.problem(with: "xADA_L0VELACEx", email: "ada_l0velace@example.org") == .containsAddress)
        #expect(rules.problem(with: "q8a@b.orgq8", email: "a@b.org") == .containsAddress)
        #expect(rules.problem(with: "kx7qp2mz", username: "kx", email: "qp@example.org") == nil, "Too short to matter.")
        #expect(rules.problem(with: "a good-pässword 7", username: "GOOD-PA\u{308}SSWORD") == .containsUsername)
    }

    @Test(arguments: [
        "password", "Password1", "12345678", "QWERTYUIOP", "iloveyou", "aaaaaaaaa", "abababab", "abcabcabcab",
        "abcdefgh",
        "hgfedcba", "98765432", "zxcvbnm,.", "p@ssw0rd", "letmein123", "asdfasdf",
    ])
    func commonOnes(password: String) {
        #expect(rules.problem(with: password) == .common)
    }

    @Test(arguments: ["correct horse battery staple", "tr0ub4dor&3", "wörterbuch 7 äpfel", "        a        b"])
    func uncommonOnes(password: String) {
        #expect(rules.problem(with: password) == nil)
    }
}
