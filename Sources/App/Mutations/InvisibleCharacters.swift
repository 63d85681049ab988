extension Unicode.Scalar {
    /// True for a character without a visible glyph: white space, a control other than NUL (which no text may have), a
    /// default ignorable (The Unicode Standard, section 5.21), or one of two symbols with a blank glyph, the Braille
    /// pattern blank and the musical null notehead.
    var isInvisible: Bool {
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint || value == 0x2800 || value == 0x1D159
            || (properties.generalCategory == .control && value != 0)
    }

    /// True for a character without a visible glyph that is needed to write names: joiners, direction marks, variation
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
