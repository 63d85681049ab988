/// The encoding "quoted-printable": lines of at most 76 ASCII characters that stay readable (RFC 2045, section 6.7).
enum QuotedPrintable {
    static func encode(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { encode(line: $0) }
            .joined(separator: "\r\n")
    }

    private static func encode(line: Substring) -> String {
        let bytes = Array(line.utf8)
        var output = ""
        var length = 0
        for (index, byte) in bytes.enumerated() {
            let isSpace = byte == 32 || byte == 9
            let isPlain = (33...126).contains(byte) && byte != UInt8(ascii: "=") || isSpace && index < bytes.count - 1
            let piece = isPlain ? String(UnicodeScalar(byte)) : "=" + hex(byte)
            // The line's last column is kept for the = of a soft line break.
            if length + piece.utf8.count > 75 {
                output += "=\r\n"
                length = 0
            }
            output += piece
            length += piece.utf8.count
        }
        return output
    }

    static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}

/// The text of a header. It is encoded (RFC 2047, encoding Q) if it is longer than 60 bytes or has characters other
/// than ASCII letters, digits, spaces, hyphens and apostrophes.
enum EncodedWord {
    /// - Parameter header: the name of the header, which stands in the first line.
    static func encode(_ text: String, in header: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "'"):
                true
            default: false
            }
        }
        if isPlain && text.utf8.count <= 60 { return text }
        var words: [String] = []
        var word = ""
        // A line with an encoded word has at most 76 characters, of which `=?utf-8?Q?` and `?=` are 12, and a character
        // is not split between two words (RFC 2047, sections 2 and 5).
        for character in text.unicodeScalars {
            let piece = String(character).utf8.map(encode).joined()
            let lineStart = words.isEmpty ? "\(header): " : " "
            if word.utf8.count + piece.utf8.count > 76 - 12 - lineStart.utf8.count {
                words.append(word)
                word = ""
            }
            word += piece
        }
        words.append(word)
        return words.map { "=?utf-8?Q?\($0)?=" }.joined(separator: "\r\n ")
    }

    private static func encode(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: " "): "_"
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            String(UnicodeScalar(byte))
        default: "=" + QuotedPrintable.hex(byte)
        }
    }
}
