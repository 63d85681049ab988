import TestSupport
import Testing

@testable import Auth

@Suite struct PasswordRulesTests {
    private let rules = PasswordRules()

    @Test func lengthCountsCodePointsAfterNormalisation() {
        #expect(rules.problem(with: "") == .missing)
        #expect(rules.problem(with: "kx7qp2m") == .tooShort(minimum: 8))
        #expect(rules.problem(with: "kx7qp2mz") == nil)
        #expect(rules.problem(with: "kx7qp2e\u{301}") == .tooShort(minimum: 8), "Eight code points, but seven in NFC.")
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
        "password", "Password1", "iloveyou", "p@ssw0rd", "letmein123", "qwerty123",
    ])
    func commonOnes(password: String) {
        #expect(rules.problem(with: password) == .common)
    }

    @Test(arguments: ["a", "ab", "abc", "asDF", " "])
    func repetitions(unit: String) {
        for length in [8, 9, 72, 73, 128] {
            let password = String(String(repeating: unit, count: length).prefix(length))
            #expect(rules.problem(with: password) == .repetition)
        }
    }

    @Test(arguments: ["12345678", "QWERTYUIOP", "abcdefgh", "hgfedcba", "98765432", "zxcvbnm,."])
    func sequences(password: String) {
        #expect(rules.problem(with: password) == .sequence)
    }

    /// One more character after a repetition, or five that repeat, are not refused by rule.
    @Test(arguments: ["aaaaaaaab", "kx7qpkx7qp"])
    func notQuiteARepetition(password: String) {
        #expect(rules.problem(with: password) == nil)
    }

    @Test(arguments: [72, 73, 128])
    func anyLengthWithin(length: Int) {
        var random = SeededGenerator(seed: UInt64(length))
        let bytes = (0..<length).map { _ in UInt8.random(in: 33...126, using: &random) }
        let password = String(decoding: bytes, as: UTF8.self)
        #expect(rules.problem(with: password) == nil)
    }

    @Test(arguments: ["correct horse battery staple", "tr0ub4dor&3", "wörterbuch 7 äpfel", "        a        b"])
    func uncommonOnes(password: String) {
        #expect(rules.problem(with: password) == nil)
    }
}
