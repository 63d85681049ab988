/// Checks and cleans PNG files.
/// Source: PNG Specification (Third Edition)
struct PNG {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The ancillary chunks that are kept, because they affect the display: transparency and colour space. Others are
    /// metadata.
    private static let kept: Set<String> = ["tRNS", "cICP", "iCCP", "sRGB", "gAMA", "cHRM", "mDCV", "cLLI"]
    /// The largest colour profile in bytes. Profiles are compressed, and a larger one could unpack to gigabytes.
    private static let maximumProfile = 1 << 16

    /// The chunks of an animation.
    private static let ofAnimation: Set<String> = ["acTL", "fcTL", "fdAT"]

    /// False where the chunks of an animation are dropped.
    private let isAnimated: Bool
    private var output: [UInt8] = signature
    private var width = 0
    private var height = 0
    private var isIndexed = false
    private var seen: Set<String> = []
    private var data = Data.before
    /// The first bytes of the image data, two at most.
    private var zlibHeader: [UInt8] = []
    private var announcedFrames: Int?
    private var frames = 0
    private var sequence = 0
    private var orientation: Orientation?

    /// The position relative to the IDAT chunks, which must be consecutive.
    private enum Data { case before, within, behind }

    static func clean(_ reader: ByteReader) throws(ImageError) -> CleanImage {
        do throws(ImageError) { return try clean(reader, isAnimated: true) } catch {
            // Browsers show the still image of an animation with errors.
            guard error == .damaged else { throw error }
            return try clean(reader, isAnimated: false)
        }
    }

    private static func clean(_ reader: ByteReader, isAnimated: Bool) throws(ImageError) -> CleanImage {
        var reader = reader
        guard reader.pass(signature) else { throw .unsupported }
        var png = PNG(isAnimated: isAnimated)
        png.output.reserveCapacity(reader.end)
        while try png.chunk(&reader) {}
        return CleanImage(
            .png, width: png.width, height: png.height, orientation: png.orientation, bytes: png.output)
    }

    /// Reads one chunk.
    /// - Returns: false for IEND.
    private mutating func chunk(_ reader: inout ByteReader) throws(ImageError) -> Bool {
        let length = try reader.bigEndian32()
        let start = reader.position
        var body = try reader.part(length + 4)
        let whole = reader.bytes[start..<reader.position]
        let letters = try body.take(4)
        guard letters.allSatisfy({ 0x41...0x5A ~= $0 & 0xDF }) else { throw .damaged }
        let type = String(decoding: letters, as: UTF8.self)
        guard (type == "IHDR") == (width == 0) else { throw .damaged }
        // A chunk type that begins with a lower-case letter is ancillary, so the chunk can be dropped.
        let isAncillary = letters.first.map { $0 & 0x20 != 0 } ?? false
        let checksum = CRC32.checksum(whole)
        // IEND ends the image, also where its checksum is wrong or cut off.
        let isSound = type == "IEND" ? true : try reader.bigEndian32() == checksum
        let isOfAnimation = Self.ofAnimation.contains(type)
        if isOfAnimation, !isAnimated { return true }
        if !isSound {
            guard isAncillary, !isOfAnimation else { throw .damaged }
            return true
        }
        if data == .within, type != "IDAT" { data = .behind }
        switch type {
        case "IHDR": try header(body)
        case "PLTE":
            guard data == .before, (3...768).contains(length), length % 3 == 0 else { throw .damaged }
            try once(type)
        case "IDAT":
            try imageData(body)
        case "IEND":
            guard length == 0, data == .behind, zlibHeader.count == 2 else { throw .damaged }
            if let announcedFrames {
                guard frames == announcedFrames else { throw .damaged }
                try ImageLimits.check(frames: frames, width: width, height: height)
            }
        case "acTL":
            guard length == 8, data == .before else { throw .damaged }
            try once(type)
            announcedFrames = try body.bigEndian32()
        case "fcTL": try frameControl(body)
        case "fdAT":
            guard announcedFrames != nil, frames > 0, data == .behind, length > 4 else { throw .damaged }
            try inSequence(&body)
        case "eXIf":
            // A second orientation is dropped.
            guard orientation == nil, let found = Orientation(tiff: body) else { return true }
            orientation = found
            append("eXIf", found.tiff)
            return true
        case _ where Self.kept.contains(type):
            guard data == .before, seen.insert(type).inserted else { return true }
            if type == "iCCP", length > Self.maximumProfile { return true }
        default:
            guard isAncillary else { throw .unsupported }
            return true
        }
        output.appendBigEndian32(length)
        output += whole
        output.appendBigEndian32(checksum)
        return type != "IEND"
    }

    private mutating func header(_ body: ByteReader) throws(ImageError) {
        var body = body
        guard body.remaining == 13 else { throw .damaged }
        width = try body.bigEndian32()
        height = try body.bigEndian32()
        try ImageLimits.check(width: width, height: height)
        let (depth, colour) = (try body.byte(), try body.byte())
        let depths: [UInt8] =
            switch colour {
            case 0: [1, 2, 4, 8, 16]
            case 3: [1, 2, 4, 8]
            case 2, 4, 6: [8, 16]
            default: []
            }
        guard depths.contains(depth), try body.byte() == 0, try body.byte() == 0, try body.byte() <= 1 else {
            throw .damaged
        }
        isIndexed = colour == 3
    }

    private mutating func imageData(_ body: ByteReader) throws(ImageError) {
        guard data != .behind, !isIndexed || seen.contains("PLTE") else { throw .damaged }
        data = .within
        guard zlibHeader.count < 2 else { return }
        zlibHeader += body.bytes[body.position..<body.end].prefix(2 - zlibHeader.count)
        guard zlibHeader.count == 2 else { return }
        // RFC 1950, 2.2: the method deflate, and the check of the first two bytes.
        let zlib = Int(zlibHeader[0]) << 8 | Int(zlibHeader[1])
        guard zlib >> 8 & 15 == 8, zlib % 31 == 0 else { throw .damaged }
    }

    private mutating func frameControl(_ body: ByteReader) throws(ImageError) {
        var body = body
        guard let announcedFrames, frames < announcedFrames, body.remaining == 26 else { throw .damaged }
        try inSequence(&body)
        let (wide, high) = (try body.bigEndian32(), try body.bigEndian32())
        let (x, y) = (try body.bigEndian32(), try body.bigEndian32())
        guard wide > 0, high > 0, x + wide <= width, y + high <= height else { throw .damaged }
        frames += 1
    }

    private mutating func inSequence(_ body: inout ByteReader) throws(ImageError) {
        guard try body.bigEndian32() == sequence else { throw .damaged }
        sequence += 1
    }

    private mutating func once(_ type: String) throws(ImageError) {
        guard seen.insert(type).inserted else { throw .damaged }
    }

    private mutating func append(_ type: String, _ body: [UInt8]) {
        let whole = Array(type.utf8) + body
        output.appendBigEndian32(body.count)
        output += whole
        output.appendBigEndian32(CRC32.checksum(whole[...]))
    }
}
