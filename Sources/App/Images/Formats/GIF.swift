/// Checks and cleans GIF files.
/// Source: Graphics Interchange Format, version 89a
struct GIF {
    /// The application extensions that hold the number of an animation's repetitions.
    private static let loops = ["NETSCAPE2.0", "ANIMEXTS1.0"].map { Array($0.utf8) }
    private static let profile = Array("ICCRGBG1012".utf8)
    private static let (extensionIntroducer, imageSeparator, trailer): (UInt8, UInt8, UInt8) = (0x21, 0x2C, 0x3B)
    private static let (graphicControl, application): (UInt8, UInt8) = (0xF9, 0xFF)

    /// The position of the screen's width and height in the file.
    private static let sizePosition = 6..<10

    private var output: [UInt8] = []
    private var width = 0
    private var height = 0
    /// The screen's size, or that of a frame where it is larger.
    private var largest = (width: 0, height: 0)
    private var frames = 0

    static func clean(_ reader: ByteReader) throws(ImageError) -> CleanImage {
        var reader = reader
        var gif = GIF()
        gif.output.reserveCapacity(reader.end)
        try gif.screen(&reader)
        while try gif.block(&reader) {}
        gif.output.append(trailer)
        try ImageLimits.check(frames: gif.frames, width: gif.largest.width, height: gif.largest.height)
        return CleanImage(.gif, width: gif.width, height: gif.height, bytes: gif.output)
    }

    /// Header, logical screen descriptor and global colour table.
    private mutating func screen(_ reader: inout ByteReader) throws(ImageError) {
        guard reader.pass(Array("GIF89a".utf8)) || reader.pass(Array("GIF87a".utf8)) else { throw .unsupported }
        width = try reader.littleEndian16()
        height = try reader.littleEndian16()
        let flags = try reader.byte()
        try reader.skip(2)
        try skipColourTable(flags, &reader)
        copy(from: 0, to: reader)
    }

    /// Reads one block.
    /// - Returns: false for the end of the image. Browsers end it at the trailer, and at a byte that begins no block.
    private mutating func block(_ reader: inout ByteReader) throws(ImageError) -> Bool {
        while reader.pass([0]) {}
        let start = reader.position
        switch try? reader.byte() {
        case Self.extensionIntroducer:
            do throws(ImageError) {
                if try isKept(&reader) { copy(from: start, to: reader) }
            } catch {
                // The frames are whole without an extension that is cut off behind them.
                guard frames > 0 else { throw error }
                return false
            }
        case Self.imageSeparator:
            try image(&reader)
            copy(from: start, to: reader)
        default: return false
        }
        return true
    }

    /// Passes an extension.
    /// - Returns: whether it is needed to display the image.
    private func isKept(_ reader: inout ByteReader) throws(ImageError) -> Bool {
        let label = try reader.byte()
        let first = try reader.take(Int(try reader.byte()))
        if first.isEmpty { return false }
        let behind = reader.position
        try skipSubBlocks(&reader)
        let size = reader.position - behind
        return switch label {
        case Self.graphicControl: first.count == 4 && size == 1
        case Self.application: first.elementsEqual(Self.profile) || size == 5 && Self.loops.contains(Array(first))
        default: false
        }
    }

    private mutating func image(_ reader: inout ByteReader) throws(ImageError) {
        let (left, top) = (try reader.littleEndian16(), try reader.littleEndian16())
        let (wide, high) = (try reader.littleEndian16(), try reader.littleEndian16())
        try ImageLimits.check(width: wide, height: high)
        if frames == 0 { try fit(left + wide, top + high) }
        largest = (max(largest.width, wide), max(largest.height, high))
        try skipColourTable(try reader.byte(), &reader)
        let codeSize = try reader.byte()
        let start = reader.position
        try skipSubBlocks(&reader)
        guard 1...8 ~= codeSize, reader.position > start + 1 else { throw .damaged }
        frames += 1
        guard frames <= ImageLimits.frames else { throw .tooManyFrames }
    }

    /// Enlarges the screen where the first frame reaches beyond it, as browsers do; it is stored so, for viewers that do
    /// not. A screen of 0 x 0 gets the frame's size.
    private mutating func fit(_ right: Int, _ bottom: Int) throws(ImageError) {
        (width, height) = (max(width, right), max(height, bottom))
        try ImageLimits.check(width: width, height: height)
        guard width <= UInt16.max, height <= UInt16.max else { throw .damaged }
        largest = (width, height)
        output.replaceSubrange(
            Self.sizePosition,
            with: [width, width >> 8, height, height >> 8].map { UInt8(truncatingIfNeeded: $0) })
    }

    private func skipColourTable(_ flags: UInt8, _ reader: inout ByteReader) throws(ImageError) {
        if flags & 0x80 != 0 { try reader.skip(3 << (Int(flags & 7) + 1)) }
    }

    private func skipSubBlocks(_ reader: inout ByteReader) throws(ImageError) {
        while case let count = Int(try reader.byte()), count > 0 { try reader.skip(count) }
    }

    private mutating func copy(from start: Int, to reader: ByteReader) {
        output += reader.bytes[start..<reader.position]
    }
}
