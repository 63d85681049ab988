import TestSupport
import Testing

@testable import App

/// Addresses that look equal are one address, and none has a character that is not seen.
@Suite struct EmailAddressTests {
    /// Each character that Unicode says to have no glyph: format characters, controls, and those that are ignored where
    /// a font does not have them.
    private static let hidden = (1...0x10FFFF).compactMap(Unicode.Scalar.init).filter {
        switch $0.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: true
        default: $0.properties.isDefaultIgnorableCodePoint
        }
    }

    private func form(_ text: String) -> String? { try? EmailAddress(text).text }

    @Test func hiddenCharactersAreTrimmedAtTheEnds() {
        for scalar in Self.hidden {
            for text in [
                "\(scalar)ana@example.org", "ana@example.org\(scalar)", "\(scalar)\(scalar)ana@example.org\(scalar)",
            ] {
                #expect(form(text) == "ana@example.org", "U+\(String(scalar.value, radix: 16))")
            }
        }
    }

    @Test func hiddenCharactersAreRefusedWithin() {
        for scalar in Self.hidden {
            let problem: EmailAddress.Problem = scalar.properties.isWhitespace ? .malformed : .hiddenCharacter
            for text in [
                "an\(scalar)a@example.org", "ana\(scalar)@example.org", "ana@\(scalar)example.org",
                "ana@exa\(scalar)mple.org",
            ] {
                #expect(throws: problem, "U+\(String(scalar.value, radix: 16))") { try EmailAddress(text) }
            }
        }
    }

    @Test(
        arguments: [
            ("zero width space", "\u{200B}"), ("zero width joiner", "\u{200D}"), ("right-to-left override", "\u{202E}"),
            ("byte order mark", "\u{FEFF}"), ("soft hyphen", "\u{AD}"), ("isolate", "\u{2066}"),
            ("Hangul filler", "\u{3164}"), ("variation selector", "\u{FE0F}"), ("tag", "\u{E0061}"),
            ("annotation", "\u{FFF9}"), ("private use", "\u{E000}"), ("unassigned", "\u{378}"),
        ])
    func theRefusalSaysWhy(name: String, character: String) {
        #expect(throws: EmailAddress.Problem.hiddenCharacter) { try EmailAddress("an\(character)a@example.org") }
        var texts = InputText()
        #expect(texts.email("an\(character)a@example.org", field: "newEmail") == nil)
        #expect(texts.errors.map(\.code) == [.invalid])
        #expect(texts.errors.map(\.message) == ["The e-mail address contains an invisible character."])
    }

    @Test(
        arguments: [
            ("Zoe\u{308}@example.org", "zoë@example.org"), ("ZOË@example.org", "zoë@example.org"),
            ("각@example.org", "\u{AC01}@example.org"), ("\u{1100}\u{1161}\u{11A8}@example.org", "\u{AC01}@example.org"),
            ("ana@bücher.de", "ana@xn--bcher-kva.de"), ("ana@xn--bcher-kva.de", "ana@xn--bcher-kva.de"),
            ("ana@ｅｘａｍｐｌｅ．org", "ana@example.org"), ("アナ@例え。テスト", "アナ@xn--r8jz45g.xn--zckzah"),
            ("a+b.c@[192.0.2.1]", "a+b.c@[192.0.2.1]"),
        ])
    func anAddressHasOneForm(typed: String, stored: String) throws {
        #expect(Array(try EmailAddress(typed).text.utf8) == Array(stored.utf8))
    }

    @Test(
        arguments: [
            "a@", "@example.org", "a@b", "a@b@example.org", "a b@example.org", "a@b..org", "a@.org", "a＠example.org",
            "a\u{0}@example.org", "a@example.org\u{0}",
            "a@b＠example.org", "a@\u{2100}.org", "a\u{2800}b@example.org", "a@\u{308}example.org",
            "a@\u{308}b@example.org",
            String(repeating: "a", count: 65) + "@example.org", "a@" + String(repeating: "b", count: 64) + ".org",
            "a@" + String(repeating: "ü", count: 62) + ".org",
            "a@" + Array(repeating: String(repeating: "b", count: 60), count: 5).joined(separator: "."),
        ])
    func whatIsNoAddressIsRefused(text: String) { #expect(form(text) == nil) }

    @Test func aDomainThatCannotBeConvertedIsRefusedWithAWord() {
        #expect(throws: EmailAddress.Problem.domain) { try EmailAddress("a@i❤.ws") }
        #expect(form("a@xn--i-7iq.ws") == "a@xn--i-7iq.ws")
    }

    /// Some have a glyph where they are typed.
    @Test(arguments: ["\u{F8FF}", "\u{378}"]) func whatMayBeSeenIsNotTrimmed(_ character: String) {
        #expect(throws: EmailAddress.Problem.hiddenCharacter) { try EmailAddress("\(character)ana@example.org") }
        #expect(throws: EmailAddress.Problem.hiddenCharacter) { try EmailAddress("ana@example.org\(character)") }
    }

    /// The form of a form is the form, so an address that was stored is found again.
    @Test func theFormIsStable() {
        var generator = SeededGenerator(seed: 27)
        let parts = [
            "a", "Z", "É", "e\u{301}", "ß", "İ", "ς", "Σ", "가", "\u{1100}\u{1161}", "ا", "ש", "ü", "1", "-", ".", "Ⅷ",
            "Å", "\u{1D15E}", "क़",
        ]
        var count = 0
        for _ in 0..<20_000 {
            let local = (0..<4).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
            let domain = (0..<4).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
            guard let form = form("\(local)@\(domain).org") else { continue }
            count += 1
            #expect(self.form(form).map { Array($0.utf8) } == Array(form.utf8))
        }
        #expect(count > 1000)
    }

    @Test func aLoginIsLookedForAsItIsTypedAndThenInItsForm() {
        #expect(Login(" ANA ").exact == "ana")
        #expect(Login("an\u{200B}a@example.org").exact == "an\u{200B}a@example.org")
        for text in ["ana@example.org", "an\u{200B}a@Example.org ", "\u{FEFF}ana@exa\u{AD}mple.org"] {
            #expect(Login(text).form == "ana@example.org")
        }
        #expect(Login("ana@BÜCHER.de").form == "ana@xn--bcher-kva.de")
        #expect(Login("\u{2060}Ana").form == "ana")
        #expect(Login("an a").form == "an a", "A gap is seen.")
        #expect(Login("ana\u{0}").form == "ana\u{0}")
    }
}
