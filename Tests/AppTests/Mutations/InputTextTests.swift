import Testing

@testable import App

@Suite struct InputTextTests {
    private func check(_ text: String, _ length: ClosedRange<Int>) -> (text: String, errors: [UserErrorCode]) {
        var input = InputText()
        let text = input.required(text, "text", "The text", length)
        return (text, input.errors.map(\.code))
    }

    @Test func endsAreTrimmedAndTheRestIsLeft() {
        #expect(check("\u{2003}\n a \t b\r\n", 1...9) == ("a \t b", []))
    }

    @Test(arguments: ["e\u{301}", "👨‍👩‍👧‍👦", "🇪🇸", "\r\n"])
    func aGraphemeClusterIsOneCharacter(_ cluster: String) {
        let text = "|" + String(repeating: cluster, count: 8) + "|"
        #expect(check(text, 1...10).errors == [])
        #expect(check(text, 1...9).errors == [.tooLong])
        #expect(check(text, 11...12).errors == [.tooShort])
    }

    @Test func oneClusterCannotHoldAnyNumberOfBytes() {
        #expect(check("e" + String(repeating: "\u{301}", count: 1000), 1...10).errors == [.tooLong])
    }

    /// "e" with 29 accents has 59 bytes.
    @Test func bytesAreBoundedBesideCharacters() {
        let text = String(repeating: "e" + String(repeating: "\u{301}", count: 29), count: 10)
        for (maximumBytes, message) in [
            (590, nil), (589, "The text can have 10 characters, and 589 bytes in UTF-8, at most."), (nil, nil),
        ] {
            var required = InputText()
            _ = required.required(text, "text", "The text", 1...10, maximumBytes: maximumBytes)
            #expect(required.errors == message.map { [UserError(.tooLong, $0, "text")] } ?? [])
            var optional = InputText()
            _ = optional.optional(text, "text", "The text", maximum: 10, maximumBytes: maximumBytes)
            #expect(optional.errors == required.errors)
        }
    }

    @Test func nothingIsRequiredText() {
        #expect(check(" \u{a0} ", 1...10).errors == [.required])
        #expect(check("a\0b", 1...10).errors == [.invalid])
    }

    /// U+200B, fillers, the blank Braille pattern, variation selectors and tags alone draw nothing.
    @Test(arguments: [
        "\u{200B}", "\u{3164}", "\u{2800} \u{2800}", "\u{FE0F}", "\u{E0061}\u{E007F}", "\u{115F}\u{180E}", "\u{FEFF}",
    ])
    func whatDrawsNothingIsNoText(_ text: String) {
        #expect(check(text, 1...10).errors == [.required])
        var input = InputText()
        #expect(input.optional(text, "title", "The title", maximum: 3) == nil)
        #expect(check("a\(text)b", 1...10).errors == [])
    }

    @Test func emptyOptionalTextIsAbsent() {
        var input = InputText()
        #expect(input.optional(" ", "title", "The title", maximum: 3) == nil)
        #expect(input.optional(nil, "title", "The title", maximum: 3) == nil)
        #expect(input.optional(" abc ", "title", "The title", maximum: 3) == "abc")
        #expect(input.errors == [])
        #expect(input.optional("abcd", "title", "The title", maximum: 3) == "abcd")
        #expect(input.errors == [UserError(.tooLong, "The title can have 3 characters at most.", "title")])
    }

    @Test func aNameIsOneLine() {
        for (name, errors) in [
            ("Ana María", 0), ("علي", 0), ("e\u{301} 👨‍👩‍👧‍👦 \u{200F}", 0), ("a\nb", 1), ("a\u{2028}b", 1),
            ("\u{202E}anA", 1),
            ("a\u{85}b", 1), ("a\u{7F}", 1), ("a\u{200B}b", 1), ("a\u{2800}", 1), ("می\u{200C}خواهم", 0),
            ("葛\u{E0100}", 0),
            ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 0),
        ] {
            var input = InputText()
            input.checkName(name)
            #expect(input.errors.map(\.code) == Array(repeating: .invalid, count: errors), "\(name.debugDescription)")
        }
    }
}
