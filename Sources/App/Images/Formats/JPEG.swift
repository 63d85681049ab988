/// Checks and cleans JPEG files.
/// Sources: ITU-T T.81, annex B; T.871 (JFIF); Exif 3.0, 4.7; ICC.1:2022, B.4
struct JPEG {
    private enum Marker {
        static let (startOfImage, endOfImage, startOfScan): (UInt8, UInt8, UInt8) = (0xD8, 0xD9, 0xDA)
        static let (huffmanTables, quantizationTables, restartInterval): (UInt8, UInt8, UInt8) = (0xC4, 0xDB, 0xDD)
        static let (app0, app1, app2, app14): (UInt8, UInt8, UInt8, UInt8) = (0xE0, 0xE1, 0xE2, 0xEE)
        static let comment: UInt8 = 0xFE
        /// The frame types that browsers display: baseline, extended sequential and progressive, Huffman-coded.
        static let frames: ClosedRange<UInt8> = 0xC0...0xC2
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
        while try jpeg.segment(&reader) {}
        guard jpeg.scans > 0 else { throw .damaged }
        try requireOfCamera(reader)
        return CleanImage(
            .jpeg, width: jpeg.width, height: jpeg.height, orientation: jpeg.orientation, bytes: jpeg.output)
    }

    /// Checks the data behind the image, which is dropped. Cameras append a smaller or wider picture, a short film, or
    /// records of their own; any other data but zeros is refused.
    /// Sources: CIPA DC-007 (MPF); ISO/IEC 14496-12, 4.3 (ftyp)
    private static func requireOfCamera(_ reader: ByteReader) throws(ImageError) {
        let rest = reader.bytes[reader.position..<reader.end]
        let isPicture = rest.starts(with: [0xFF, 0xD8, 0xFF])
        let isFilm = rest.dropFirst(4).starts(with: Array("ftyp".utf8))
        let isSamsungs = rest.suffix(4).elementsEqual(Array("SEFT".utf8))
        if !(isPicture || isFilm || isSamsungs) { try reader.requireEnd() }
    }

    /// Reads one segment.
    /// - Returns: false for the end of the image.
    private mutating func segment(_ reader: inout ByteReader) throws(ImageError) -> Bool {
        guard try reader.byte() == 0xFF else { throw .damaged }
        var marker = try reader.byte()
        // B.1.1.2: any number of fill bytes.
        while marker == 0xFF { marker = try reader.byte() }
        if marker == Marker.endOfImage {
            output += [0xFF, marker]
            return false
        }
        let length = try reader.bigEndian16()
        let body = try reader.part(length - 2)
        switch marker {
        case Marker.frames: try frame(body)
        case Marker.startOfScan:
            try scan(body)
            append(marker, body)
            output += try entropyCodedData(&reader)
            return true
        case Marker.quantizationTables:
            try Self.checkQuantization(body)
            hasQuantization = true
        case Marker.huffmanTables:
            try Self.checkHuffman(body)
            hasHuffman = true
        case Marker.restartInterval:
            guard body.remaining == 2 else { throw .damaged }
        case Marker.app0...0xEF:
            try application(marker, body)
            return true
        case Marker.comment: return true
        // Unsupported: lossless, hierarchical and arithmetic coding, and a height that follows the first scan.
        default: throw .unsupported
        }
        append(marker, body)
        return true
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

    /// The data up to the next marker other than a restart marker. B.1.1.5: in the data a zero follows each 0xFF.
    private func entropyCodedData(_ reader: inout ByteReader) throws(ImageError) -> ArraySlice<UInt8> {
        let start = reader.position
        let count = reader.bytes.withUnsafeBufferPointer { bytes -> Int? in
            var index = start
            while index + 1 < reader.end {
                if bytes[index] == 0xFF {
                    let next = bytes[index + 1]
                    if next != 0, next != 0xFF, !(0xD0...0xD7 ~= next) { return index - start }
                    // Fill bytes before a marker are kept as part of the data.
                    index += next == 0xFF ? 1 : 2
                } else {
                    index += 1
                }
            }
            return nil
        }
        guard let count, count > 0 else { throw .damaged }
        return try reader.take(count)
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
        } else if marker == Marker.app14, walk.pass(Self.adobe), walk.remaining == 7 {
            append(marker, body)
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
