extension JSONReader {
    /// number = [ `-` ] int [ frac ] [ exp ]
    mutating func readNumber() throws(JSONError) -> InputValue {
        let start = position
        let isNegative = byte(position) == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let firstDigit = position
        var magnitude = 0
        var overflows = false
        while byte(position).isDigit {
            let (product, tooLarge) = magnitude.multipliedReportingOverflow(by: 10)
            let (difference, tooSmall) = product.subtractingReportingOverflow(Int(byte(position) - 0x30))
            // Counted downwards, since the least integer has no positive counterpart.
            magnitude = difference
            overflows = overflows || tooLarge || tooSmall
            position += 1
        }
        let digits = position - firstDigit
        if digits == 0 { throw unexpected() }
        if digits > 1, byte(firstDigit) == UInt8(ascii: "0") { throw JSONError(.invalidNumber, at: start) }
        let isInteger = try !skipFractionAndExponent()
        if isInteger, !overflows, isNegative || magnitude != .min {
            return .int(isNegative ? magnitude : -magnitude)
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = Double(text) else { throw JSONError(.invalidNumber, at: start) }
        guard number.isFinite else { throw JSONError(.numberOutOfRange, at: start) }
        return .float(number)
    }

    /// Whether there was one of them.
    private mutating func skipFractionAndExponent() throws(JSONError) -> Bool {
        let start = position
        if byte(position) == UInt8(ascii: ".") {
            position += 1
            try skipDigits()
        }
        if byte(position) | 0x20 == UInt8(ascii: "e") {
            position += 1
            if byte(position) == UInt8(ascii: "+") || byte(position) == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        return position > start
    }

    private mutating func skipDigits() throws(JSONError) {
        guard byte(position).isDigit else { throw unexpected() }
        repeat { position += 1 } while byte(position).isDigit
    }

    /// string = quotation-mark *char quotation-mark
    mutating func readString() throws(JSONError) -> String {
        let start = position + 1
        position = nextJSONEscape(in: bytes, from: start)
        let text = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
        if byte(position) == UInt8(ascii: "\"") {
            position += 1
            return try validated(text, at: start)
        }
        var value = Array(text)
        try readEscapedRest(into: &value)
        return try validated(value, at: start)
    }

    private mutating func readEscapedRest(into value: inout [UInt8]) throws(JSONError) {
        while true {
            guard position < bytes.count else { throw unexpected() }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"):
                try readEscape(into: &value)
            default:
                throw JSONError(.controlCharacterInString, at: position)
            }
            let next = nextJSONEscape(in: bytes, from: position)
            value.append(contentsOf: bytes[position..<next])
            position = next
        }
    }

    private func validated(_ text: some Sequence<UInt8>, at offset: Int) throws(JSONError) -> String {
        guard let string = String(validating: text, as: UTF8.self) else { throw JSONError(.invalidUTF8, at: offset) }
        return string
    }

    private mutating func readEscape(into value: inout [UInt8]) throws(JSONError) {
        let start = position
        let escaped = byte(position + 1)
        position += 2
        switch escaped {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): value.append(escaped)
        case UInt8(ascii: "b"): value.append(0x08)
        case UInt8(ascii: "f"): value.append(0x0C)
        case UInt8(ascii: "n"): value.append(0x0A)
        case UInt8(ascii: "r"): value.append(0x0D)
        case UInt8(ascii: "t"): value.append(0x09)
        case UInt8(ascii: "u"): value.append(contentsOf: try readUnicodeEscape(from: start).utf8)
        default: throw JSONError(.invalidEscape, at: start)
        }
    }

    /// The scalar after `\u`, of which a pair of surrogates may be two.
    private mutating func readUnicodeEscape(from start: Int) throws(JSONError) -> UnicodeScalar {
        let code = try readHexCode(from: start)
        if let scalar = UnicodeScalar(code) { return scalar }
        guard code < 0xDC00, byte(position) == UInt8(ascii: "\\"), byte(position + 1) == UInt8(ascii: "u") else {
            throw JSONError(.loneSurrogate, at: start)
        }
        position += 2
        let low = try readHexCode(from: position - 2)
        guard 0xDC00...0xDFFF ~= low, let scalar = UnicodeScalar(0x10000 + (code - 0xD800) << 10 + (low - 0xDC00))
        else { throw JSONError(.loneSurrogate, at: start) }
        return scalar
    }

    private mutating func readHexCode(from start: Int) throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = byte(position).hexDigit else { throw JSONError(.invalidEscape, at: start) }
            code = code << 4 | digit
            position += 1
        }
        return code
    }
}
