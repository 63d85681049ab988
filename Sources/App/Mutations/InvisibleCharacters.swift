extension Unicode.Scalar {
    /// Whether the character has no visible glyph: white space, a control other than NUL (which no text may have), a
    /// default ignorable (The Unicode Standard, section 5.21), or a character with a blank glyph: the Braille pattern
    /// blank, the musical null notehead, the blanks of Egyptian hieroglyphs, and the filler of Khitan small script.
    var isInvisible: Bool {
        switch value {
        case 0x2800, 0x1D159, 0x13441, 0x13442, 0x16FE4: true
        default:
            properties.isWhitespace || properties.isDefaultIgnorableCodePoint
                || (properties.generalCategory == .control && value != 0)
        }
    }

    /// Whether the character has no visible glyph but is needed to write names: joiners, direction marks, variation
    /// selectors, and the tags of flags.
    var joinsOrVaries: Bool {
        switch value {
        case 0x200C...0x200F, 0x061C, 0x180B...0x180F, 0xFE00...0xFE0F, 0xE0020...0xE007F, 0xE0100...0xE01EF: true
        default: false
        }
    }
}

extension String {
    /// The text without white space at its ends; empty if it has no visible character.
    var trimmed: String {
        guard unicodeScalars.contains(where: { !$0.isInvisible }),
            let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
