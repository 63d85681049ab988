extension Printer {
    mutating func print(_ string: StringValue) {
        if string.isBlock {
            printBlockString(string.value)
        } else {
            printString(string.value)
        }
    }

    /// Escapes control characters, U+0080 to U+009F among them, quotation marks and backslashes.
    mutating func printString(_ value: String) {
        write(byte: 0x22)
        for scalar in value.unicodeScalars {
            switch scalar.value {
            case 0x08: write("\\b")
            case 0x09: write("\\t")
            case 0x0A: write("\\n")
            case 0x0C: write("\\f")
            case 0x0D: write("\\r")
            case 0x22: write("\\\"")
            case 0x5C: write("\\\\")
            case 0x00..<0x20, 0x7F..<0xA0:
                write(scalar.value < 0x10 ? "\\u000" : "\\u00")
                write(String(scalar.value, radix: 16, uppercase: true))
            default:
                for byte in scalar.utf8 { write(byte: byte) }
            }
        }
        write(byte: 0x22)
    }

    /// Text without line breaks stays on one line if it is short and nothing in it reads wrong there.
    mutating func printBlockString(_ value: String) {
        let lines = blockStringLines(value)
        let text = Array(value.utf8)
        let indentsAllLines =
            lines.count > 1 && lines.dropFirst().allSatisfy { $0.isEmpty || $0.first == 0x20 || $0.first == 0x09 }
        let endsInQuoteOrBackslash = text.last == 0x22 || text.last == 0x5C
        let hasSeveralLines = lines.count > 1 || value.utf16.count > 70 || endsInQuoteOrBackslash
        let startsWithSpace = lines.count == 1 && (text.first == 0x20 || text.first == 0x09)
        write("\"\"\"")
        if hasSeveralLines && !startsWithSpace || indentsAllLines { newLine() }
        for (index, line) in lines.enumerated() {
            if index > 0 { newLine() }
            for byte in line { write(byte: byte) }
        }
        if hasSeveralLines { newLine() }
        write("\"\"\"")
    }

    /// The lines of a text, each with `"""` escaped.
    private func blockStringLines(_ value: String) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var quotes = 0
        var previous: UInt8 = 0
        for byte in value.utf8 {
            quotes = byte == 0x22 ? quotes + 1 : 0
            if byte == 0x0A && previous == 0x0D {
                previous = byte
                continue
            }
            previous = byte
            if byte.isLineTerminator {
                lines.append([])
                continue
            }
            lines[lines.count - 1].append(byte)
            if quotes == 3 {
                quotes = 0
                let line = lines.count - 1
                lines[line].insert(UInt8(ascii: "\\"), at: lines[line].count - 3)
            }
        }
        return lines
    }
}
