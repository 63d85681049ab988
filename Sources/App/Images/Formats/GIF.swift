/// Checks and cleans GIF files.
/// Source: Graphics Interchange Format, version 89a
struct GIF {
    /// The application extensions that hold the number of an animation's repetitions.
    private static let loops = ["NETSCAPE2.0", "ANIMEXTS1.0"].map { Array($0.utf8) }
    private static let profile = Array("ICCRGBG1012".utf8)
    private static let (extensionIntroducer, imageSeparator, trailer): (UInt8, UInt8, UInt8) = (0x21, 0x2C, 0x3B)
    private static let (graphicControl, application): (UInt8, UInt8) = (0xF9, 0xFF)

    private var output: [UInt8] = []
    private var width = 0
    private var height = 0
    private var frames = 0

    static func clean(_ reader: ByteReader) throws(ImageError) -> CleanImage {
        var reader = reader
        var gif = GIF()
        gif.output.reserveCapacity(reader.end)
        try gif.screen(&reader)
        while try gif.block(&reader) {}
        try reader.requireEnd()
        try ImageLimits.check(frames: gif.frames, width: gif.width, height: gif.height)
        return CleanImage(.gif, width: gif.width, height: gif.height, bytes: gif.output)
    }

    /// Reads the header, the logical screen descriptor and the global colour table.
    private mutating func screen(_ reader: inout ByteReader) throws(ImageError) {
        guard reader.pass(Array("GIF89a".utf8)) || reader.pass(Array("GIF87a".utf8)) else { throw .unsupported }
        width = try reader.littleEndian16()
        height = try reader.littleEndian16()
        try ImageLimits.check(width: width, height: height)
        let flags = try reader.byte()
        try reader.skip(2)
        try skipColourTable(flags, &reader)
        copy(from: 0, to: reader)
    }

    /// Reads one block.
    /// - Returns: false for the trailer.
    private mutating func block(_ reader: inout ByteReader) throws(ImageError) -> Bool {
        let start = reader.position
        switch try reader.byte() {
        case Self.extensionIntroducer:
            let label = try reader.byte()
            let first = try reader.take(Int(try reader.byte()))
            let behind = reader.position
            try skipSubBlocks(&reader)
            let size = reader.position - behind
            let isKept =
                switch label {
                case Self.graphicControl: first.count == 4 && size == 1
                case Self.application:
                    first.elementsEqual(Self.profile) || size == 5 && Self.loops.contains(Array(first))
                default: false
                }
            if !isKept { return true }
        case Self.imageSeparator: try image(&reader)
        case Self.trailer:
            copy(from: start, to: reader)
            return false
        default: throw .damaged
        }
        copy(from: start, to: reader)
        return true
    }

    private mutating func image(_ reader: inout ByteReader) throws(ImageError) {
        let (left, top) = (try reader.littleEndian16(), try reader.littleEndian16())
        let (wide, high) = (try reader.littleEndian16(), try reader.littleEndian16())
        guard wide > 0, high > 0, left + wide <= width, top + high <= height else { throw .damaged }
        try skipColourTable(try reader.byte(), &reader)
        let codeSize = try reader.byte()
        let start = reader.position
        try skipSubBlocks(&reader)
        guard 1...8 ~= codeSize, reader.position > start + 1 else { throw .damaged }
        frames += 1
        guard frames <= ImageLimits.frames else { throw .tooManyFrames }
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
