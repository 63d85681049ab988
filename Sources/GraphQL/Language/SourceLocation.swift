extension Source {
    /// The line and column of a node. Lines end at `\n`, `\r\n` or `\r`; columns count UTF-16 code units.
    /// Spec: 2.1.3 Line Terminators
    public func location(of location: Location) -> SourceLocation {
        bytes.withUnsafeBufferPointer { SourceLocation(in: $0, at: Int(location.offset)) }
    }

    /// Those of many nodes, in one pass over the text however many they are.
    func locations(of locations: [Location]) -> [SourceLocation] {
        bytes.withUnsafeBufferPointer { bytes in
            var scan = LocationScan(bytes)
            var found = [SourceLocation](repeating: SourceLocation(line: 1, column: 1), count: locations.count)
            for index in locations.indices.sorted(by: { locations[$0].offset < locations[$1].offset }) {
                found[index] = scan.location(at: Int(locations[index].offset))
            }
            return found
        }
    }
}

extension SourceLocation {
    init(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
        var scan = LocationScan(bytes)
        self = scan.location(at: offset)
    }
}

/// Finds lines and columns of offsets that come in ascending order.
private struct LocationScan {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var line = 1
    private var position = 0
    private var column = 1
    /// Up to where the columns of the line were counted.
    private var columnPosition = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func location(at offset: Int) -> SourceLocation {
        let offset = min(max(offset, 0), bytes.count)
        while position < offset {
            let byte = bytes[position]
            position += 1
            guard byte.isLineTerminator else { continue }
            if byte == 0x0D, position < bytes.count, bytes[position] == 0x0A { position += 1 }
            line += 1
            column = 1
            columnPosition = position
        }
        while columnPosition < offset {
            let sequence = UTF8Sequence(bytes, at: columnPosition)
            columnPosition += sequence.length
            column += sequence.utf16Length
        }
        return SourceLocation(line: line, column: column)
    }
}
