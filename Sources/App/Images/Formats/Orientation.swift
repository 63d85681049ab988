/// The EXIF orientation: how the picture is rotated and mirrored before it is displayed. It is kept if it is 2 to 8; 1
/// means that the picture is displayed unchanged. No other tag of the EXIF is kept.
/// Source: Exif 3.0 (CIPA DC-008), 4.6.5.1, and TIFF 6.0, section 2
struct Orientation: Equatable {
    private static let tag = 0x0112
    private static let short = 3

    let value: Int

    /// True if width and height are swapped.
    var isTransposed: Bool { value >= 5 }

    /// nil if the EXIF is unreadable or has no orientation from 2 to 8. The image then keeps no EXIF.
    init?(tiff: ByteReader) {
        guard let value = try? Self.read(tiff), (2...8).contains(value) else { return nil }
        self.value = value
    }

    private static func read(_ tiff: ByteReader) throws(ImageError) -> Int? {
        var walk = tiff
        let isLittleEndian = walk.pass([0x49, 0x49, 0x2A, 0])
        guard isLittleEndian || walk.pass([0x4D, 0x4D, 0, 0x2A]) else { return nil }
        func short(_ walk: inout ByteReader) throws(ImageError) -> Int {
            try isLittleEndian ? walk.littleEndian16() : walk.bigEndian16()
        }
        func long(_ walk: inout ByteReader) throws(ImageError) -> Int {
            try isLittleEndian ? walk.littleEndian32() : walk.bigEndian32()
        }
        let offset = try long(&walk)
        walk = tiff
        try walk.skip(offset)
        for _ in 0..<(try short(&walk)) {
            var entry = try walk.part(12)
            guard try short(&entry) == tag else { continue }
            guard try short(&entry) == Self.short, try long(&entry) == 1 else { return nil }
            return try short(&entry)
        }
        return nil
    }

    /// A TIFF structure with the orientation and nothing else.
    var tiff: [UInt8] {
        [
            0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(value), 0, 0, 0, 0, 0, 0,
        ]
    }
}
