/// Checks and cleans WebP files.
/// Sources: RFC 9649 (WebP) and RFC 6386, 9.1 (VP8)
struct WebP {
    private enum Flag {
        static let (animation, exif, alpha, profile): (UInt8, UInt8, UInt8, UInt8) = (0x02, 0x08, 0x10, 0x20)
    }

    /// The length of a chunk's type and size, in bytes.
    private static let headerSize = 8

    /// The size in VP8X, or that of the one image in a file without VP8X.
    private var canvas: (width: Int, height: Int)?
    private var isExtended = false
    private var profile: ArraySlice<UInt8>?
    private var animation: ArraySlice<UInt8>?
    private var orientation: Orientation?
    /// The chunks of a still image.
    private var image: [UInt8] = []
    private var hasImage = false
    private var frames: [UInt8] = []
    private var frameCount = 0
    private var hasAlpha = false

    static func clean(_ reader: ByteReader) throws(ImageError) -> CleanImage {
        var reader = reader
        guard reader.pass(Array("RIFF".utf8)) else { throw .unsupported }
        let size = try reader.littleEndian32()
        // Some writers count the padding byte of the last chunk, and omit it.
        var file = try reader.part(size == reader.remaining + 1 ? reader.remaining : size)
        guard file.pass(Array("WEBP".utf8)) else { throw .unsupported }
        var webP = WebP()
        // Fewer bytes than the header of a chunk are padding.
        while file.remaining >= headerSize { try webP.chunk(&file) }
        return try webP.written()
    }

    private mutating func chunk(_ file: inout ByteReader) throws(ImageError) {
        let (type, body) = try Self.next(&file)
        switch type {
        case "VP8X":
            guard canvas == nil, body.remaining == 10 else { throw .damaged }
            var body = body
            try body.skip(4)
            canvas = (try body.littleEndian24() + 1, try body.littleEndian24() + 1)
            isExtended = true
        case "ICCP" where isExtended && profile == nil: profile = body.bytes[body.position..<body.end]
        case "ANIM" where isExtended && animation == nil:
            guard body.remaining == 6 else { throw .damaged }
            animation = body.bytes[body.position..<body.end]
        case "ANMF": try frame(body)
        case "ALPH", "VP8 ", "VP8L":
            guard animation == nil, !hasImage, type == "VP8 " || image.isEmpty else { throw .damaged }
            guard let size = try Self.bitstream(type, body, into: &image, &hasAlpha) else { return }
            if let canvas, size != canvas { throw .damaged }
            canvas = size
            hasImage = true
        case "EXIF" where isExtended && orientation == nil:
            var body = body
            // Some writers copy the prefix that EXIF has in a JPEG.
            _ = body.pass(Array("Exif\0\0".utf8))
            orientation = Orientation(tiff: try body.part(body.remaining))
        default: break
        }
    }

    private mutating func frame(_ body: ByteReader) throws(ImageError) {
        guard animation != nil, !hasImage, let canvas else { throw .damaged }
        frameCount += 1
        guard frameCount <= ImageLimits.frames else { throw .tooManyFrames }
        var body = body
        let header = body
        let (x, y) = (2 * (try body.littleEndian24()), 2 * (try body.littleEndian24()))
        let size = (width: try body.littleEndian24() + 1, height: try body.littleEndian24() + 1)
        try body.skip(4)
        guard x + size.width <= canvas.width, y + size.height <= canvas.height else { throw .damaged }
        var content = Array(header.bytes[header.position..<body.position])
        var found: (width: Int, height: Int)?
        while body.remaining > 0 {
            let (type, part) = try Self.next(&body)
            guard ["ALPH", "VP8 ", "VP8L"].contains(type) else { continue }
            guard found == nil, type == "VP8 " || content.count == 16 else { throw .damaged }
            found = try Self.bitstream(type, part, into: &content, &hasAlpha)
        }
        guard let found, found == size else { throw .damaged }
        Self.append("ANMF", content[...], to: &frames)
    }

    /// Checks a chunk of an image and appends it to `output`.
    /// - Returns: the image's size; nil for ALPH, which has none.
    private static func bitstream(
        _ type: String, _ body: ByteReader, into output: inout [UInt8], _ hasAlpha: inout Bool
    ) throws(ImageError) -> (width: Int, height: Int)? {
        let chunk = body.bytes[body.position..<body.end]
        var body = body
        var size: (width: Int, height: Int)?
        switch type {
        case "VP8 ":
            let tag = try body.littleEndian24()
            // A key frame with a complete first partition.
            guard tag & 1 == 0, tag >> 5 <= body.remaining, body.pass([0x9D, 0x01, 0x2A]) else { throw .damaged }
            size = (try body.littleEndian16() & 0x3FFF, try body.littleEndian16() & 0x3FFF)
        case "VP8L":
            guard try body.byte() == 0x2F else { throw .damaged }
            let bits = try body.littleEndian32()
            guard bits >> 29 == 0 else { throw .unsupported }
            if bits >> 28 & 1 == 1 { hasAlpha = true }
            size = (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        default:
            guard body.remaining > 1 else { throw .damaged }
            hasAlpha = true
        }
        if let size { try ImageLimits.check(width: size.width, height: size.height) }
        append(type, chunk, to: &output)
        return size
    }

    private func written() throws(ImageError) -> CleanImage {
        guard let canvas, hasImage != (frameCount > 0) else { throw .damaged }
        try ImageLimits.check(width: canvas.width, height: canvas.height)
        try ImageLimits.check(frames: max(frameCount, 1), width: canvas.width, height: canvas.height)
        var output = Array("WEBP".utf8)
        if isExtended {
            var flags: UInt8 = hasAlpha ? Flag.alpha : 0
            if profile != nil { flags |= Flag.profile }
            if orientation != nil { flags |= Flag.exif }
            if frameCount > 0 { flags |= Flag.animation }
            var header: [UInt8] = [flags, 0, 0, 0]
            header.appendLittleEndian24(canvas.width - 1)
            header.appendLittleEndian24(canvas.height - 1)
            Self.append("VP8X", header[...], to: &output)
        }
        if let profile { Self.append("ICCP", profile, to: &output) }
        if let animation, frameCount > 0 { Self.append("ANIM", animation, to: &output) }
        output += frames + image
        if let orientation { Self.append("EXIF", orientation.tiff[...], to: &output) }
        var file = Array("RIFF".utf8)
        file.appendLittleEndian32(output.count)
        return CleanImage(
            .webP, width: canvas.width, height: canvas.height, orientation: orientation, bytes: file + output)
    }

    private static func next(_ walk: inout ByteReader) throws(ImageError) -> (type: String, body: ByteReader) {
        let type = String(decoding: try walk.take(4), as: UTF8.self)
        let body = try walk.part(try walk.littleEndian32())
        // A padding byte follows an odd size. Some writers omit the last one.
        if body.remaining % 2 == 1, walk.remaining > 0 { try walk.skip(1) }
        return (type, body)
    }

    private static func append(_ type: String, _ body: ArraySlice<UInt8>, to output: inout [UInt8]) {
        output += Array(type.utf8)
        output.appendLittleEndian32(body.count)
        output += body
        if body.count % 2 == 1 { output.append(0) }
    }
}
