extension Source {
    /// The line and column of a node. Lines end at `\n`, `\r\n` or `\r`; columns count UTF-16 code units.
    /// Spec: 2.1.3 Line Terminators
    public func location(of location: Location) -> SourceLocation {
        bytes.withUnsafeBufferPointer { SourceLocation(in: $0, at: Int(location.offset)) }
    }
}

extension SourceLocation {
    init(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
        let offset = min(max(offset, 0), bytes.count)
        var line = 1
        var lineStart = 0
        var position = 0
        while position < offset {
            let byte = bytes[position]
            position += 1
            guard byte.isLineTerminator else { continue }
            if byte == 0x0D, position < bytes.count, bytes[position] == 0x0A { position += 1 }
            line += 1
            lineStart = position
        }
        var column = 1
        position = lineStart
        while position < offset {
            let sequence = UTF8Sequence(bytes, at: position)
            position += sequence.length
            column += sequence.utf16Length
        }
        self.init(line: line, column: column)
    }
}
