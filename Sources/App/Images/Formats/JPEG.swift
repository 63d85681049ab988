/// Checks and cleans JPEG files.
/// Sources: ITU-T T.81, annex B; T.871 (JFIF); Exif 3.0, 4.7; ICC.1:2022, B.4
struct JPEG {
    enum Marker {
        static let (startOfImage, endOfImage, startOfScan): (UInt8, UInt8, UInt8) = (0xD8, 0xD9, 0xDA)
        static let (huffmanTables, quantizationTables, restartInterval): (UInt8, UInt8, UInt8) = (0xC4, 0xDB, 0xDD)
        static let (app0, app1, app2, app14): (UInt8, UInt8, UInt8, UInt8) = (0xE0, 0xE1, 0xE2, 0xEE)
        static let applications: ClosedRange<UInt8> = 0xE0...0xEF
        static let comment: UInt8 = 0xFE
        /// The frame types that browsers display: baseline, extended sequential and progressive, Huffman-coded.
        static let frames: ClosedRange<UInt8> = 0xC0...0xC2
        /// The frame type of a progressive image.
        static let progressive: UInt8 = 0xC2
        /// For temporary use in arithmetic coding; it has no length.
        static let temporary: UInt8 = 0x01
        static let numberOfLines: UInt8 = 0xDC
        static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
    }

    private static let jfif = Array("JFIF\0".utf8)
    private static let exif = Array("Exif\0\0".utf8)
    private static let profile = Array("ICC_PROFILE\0".utf8)
    private static let adobe = Array("Adobe".utf8)

    private var output: [UInt8] = [0xFF, Marker.startOfImage]
    private var width = 0
    private var height = 0
    private var components: [UInt8] = []
    private var scans = 0
    private var hasQuantization = false
    private var hasHuffman = false
    private var hasJFIF = false
    private var orientation: Orientation?

    static func clean(_ reader: ByteReader) throws(ImageError) -> CleanImage {
        var reader = reader
        try reader.skip(2)
        var jpeg = JPEG()
        jpeg.output.reserveCapacity(reader.end)
        if !(try jpeg.segments(&reader)) { try jpeg.end() }
        guard jpeg.scans > 0 else { throw .damaged }
        return CleanImage(
            .jpeg, width: jpeg.width, height: jpeg.height, orientation: jpeg.orientation, bytes: jpeg.output)
    }

    /// Reads up to the end marker.
    /// - Returns: false where the file ends, or has no valid segment, before an end marker.
    private mutating func segments(_ reader: inout ByteReader) throws(ImageError) -> Bool {
        do throws(ImageError) {
            while try segment(&reader) {}
            return true
        } catch {
            guard scans > 0, error == .damaged || error == .unsupported else { throw error }
            return false
        }
    }

    /// Ends an image without an end marker behind its last scan. An image that lacks a part is refused.
    private mutating func end() throws(ImageError) {
        output.removeSubrange(try JPEGScans.end(of: output)...)
        output += [0xFF, Marker.endOfImage]
    }

    /// Reads one segment.
    /// - Returns: false for the end of the image.
    private mutating func segment(_ reader: inout ByteReader) throws(ImageError) -> Bool {
        // Browsers pass over bytes between segments. They are dropped.
        while try reader.byte() != 0xFF {}
        var marker = try reader.byte()
        // B.1.1.2: any number of fill bytes.
        while marker == 0xFF { marker = try reader.byte() }
        if marker <= Marker.temporary || Marker.restarts.contains(marker) { return true }
        if marker == Marker.endOfImage {
            output += [0xFF, marker]
            return false
        }
        let length = try reader.bigEndian16()
        // libjpeg reads a length of 0 or 1 as that of a segment without data.
        let body = try reader.part(Self.isMetadata(marker) ? max(length - 2, 0) : length - 2)
        switch marker {
        case Marker.frames: try frame(body)
        case Marker.startOfScan:
            try scan(body)
            append(marker, body)
            let count = Self.entropyCodedCount(reader)
            guard count > 0 else { throw .damaged }
            output += try reader.take(count)
            return true
        case Marker.quantizationTables:
            try Self.checkQuantization(body)
            hasQuantization = true
        case Marker.huffmanTables:
            try Self.checkHuffman(body)
            hasHuffman = true
        case Marker.restartInterval:
            guard body.remaining == 2 else { throw .damaged }
        case Marker.applications:
            try application(marker, body)
            return true
        case Marker.comment: return true
        // The frame has said the number of lines already.
        case Marker.numberOfLines where scans > 0: return true
        // Unsupported: lossless, hierarchical and arithmetic coding, and a height that follows the first scan.
        default: throw .unsupported
        }
        append(marker, body)
        return true
    }

    private static func isMetadata(_ marker: UInt8) -> Bool {
        marker == Marker.comment || Marker.applications.contains(marker)
    }

    private mutating func frame(_ body: ByteReader) throws(ImageError) {
        var body = body
        guard components.isEmpty else { throw .damaged }
        guard try body.byte() == 8 else { throw .unsupported }
        height = try body.bigEndian16()
        width = try body.bigEndian16()
        try ImageLimits.check(width: width, height: height)
        let count = Int(try body.byte())
        guard [1, 3, 4].contains(count), body.remaining == 3 * count else { throw .unsupported }
        for _ in 0..<count {
            let (id, sampling, table) = (try body.byte(), try body.byte(), try body.byte())
            guard !components.contains(id), 1...4 ~= sampling >> 4, 1...4 ~= sampling & 15, table <= 3 else {
                throw .damaged
            }
            components.append(id)
        }
    }

    private mutating func scan(_ body: ByteReader) throws(ImageError) {
        var body = body
        guard hasQuantization, hasHuffman, !components.isEmpty else { throw .damaged }
        scans += 1
        guard scans <= ImageLimits.scans else { throw .tooManyFrames }
        let count = Int(try body.byte())
        guard 1...4 ~= count, body.remaining == 2 * count + 3 else { throw .damaged }
        for _ in 0..<count {
            guard components.contains(try body.byte()) else { throw .damaged }
            try body.skip(1)
        }
    }

    /// The length of the data up to the next marker other than a restart marker, or up to the end of the file. B.1.1.5: in
    /// the data a zero follows each 0xFF.
    static func entropyCodedCount(_ reader: ByteReader) -> Int {
        reader.bytes.withUnsafeBufferPointer { bytes in
            var index = reader.position
            while index + 1 < reader.end {
                if bytes[index] == 0xFF {
                    let next = bytes[index + 1]
                    if next != 0, next != 0xFF, !Marker.restarts.contains(next) { return index - reader.position }
                    // Fill bytes before a marker are kept as part of the data.
                    index += next == 0xFF ? 1 : 2
                } else {
                    index += 1
                }
            }
            return reader.remaining
        }
    }

    private mutating func application(_ marker: UInt8, _ body: ByteReader) throws(ImageError) {
        var walk = body
        if marker == Marker.app0, !hasJFIF, walk.pass(Self.jfif) {
            // Version and density are kept; the thumbnail and its size are dropped.
            hasJFIF = true
            append(marker, Self.jfif + (try walk.take(7)) + [0, 0])
        } else if marker == Marker.app1, orientation == nil, walk.pass(Self.exif) {
            guard let found = Orientation(tiff: try walk.part(walk.remaining)) else { return }
            orientation = found
            append(marker, Self.exif + found.tiff)
        } else if marker == Marker.app2, walk.pass(Self.profile) {
            append(marker, body)
        } else if marker == Marker.app14, walk.pass(Self.adobe), walk.remaining >= 7 {
            append(marker, Self.adobe + (try walk.take(7)))
        }
    }

    private static func checkQuantization(_ body: ByteReader) throws(ImageError) {
        var body = body
        while body.remaining > 0 {
            let table = try body.byte()
            guard table >> 4 <= 1, table & 15 <= 3 else { throw .damaged }
            try body.skip(table >> 4 == 0 ? 64 : 128)
        }
    }

    private static func checkHuffman(_ body: ByteReader) throws(ImageError) {
        var body = body
        while body.remaining > 0 {
            let table = try body.byte()
            guard table >> 4 <= 1, table & 15 <= 3 else { throw .damaged }
            let count = try body.take(16).reduce(0) { $0 + Int($1) }
            guard count <= 256 else { throw .damaged }
            try body.skip(count)
        }
    }

    private mutating func append(_ marker: UInt8, _ body: ByteReader) {
        append(marker, Array(body.bytes[body.position..<body.end]))
    }

    private mutating func append(_ marker: UInt8, _ body: [UInt8]) {
        output += [0xFF, marker]
        output.appendBigEndian16(body.count + 2)
        output += body
    }
}
