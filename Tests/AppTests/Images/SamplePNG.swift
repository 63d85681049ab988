@testable import App

/// PNG files made of chunks.
struct SamplePNG {
    var width = 3
    var height = 2
    /// Bit depth, colour type, compression, filter, interlace.
    var details: [UInt8] = [8, 0, 0, 0, 0]
    /// Between the header and the image data.
    var ancillary: [[UInt8]] = []
    /// In the place of the image data.
    var data: [[UInt8]]?
    var behindData: [[UInt8]] = []
    var trailing: [UInt8] = []

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    static let end = chunk("IEND")

    static func chunk(_ type: String, _ body: [UInt8] = []) -> [UInt8] {
        let whole = Array(type.utf8) + body
        return big32(body.count) + whole + big32(CRC32.checksum(whole[...]))
    }

    static func big32(_ number: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian32(number)
        return bytes
    }

    var header: [UInt8] { Self.chunk("IHDR", Self.big32(width) + Self.big32(height) + details) }

    /// Black lines, stored uncompressed: RFC 1950 and 1951.
    static func pixels(_ width: Int, _ height: Int) -> [UInt8] {
        let raw = [UInt8](repeating: 0, count: (width + 1) * height)
        let length = [UInt8(raw.count & 255), UInt8(raw.count >> 8)]
        return [0x78, 0x01, 0x01] + length + length.map { ~$0 } + raw + [
            UInt8(raw.count >> 8), UInt8(raw.count & 255), 0, 1,
        ]
    }

    var bytes: [UInt8] {
        let data = data ?? [Self.chunk("IDAT", Self.pixels(min(width, 100), min(height, 100)))]
        return ([Self.signature, header] + ancillary + data + behindData + [Self.end, trailing]).flatMap { $0 }
    }
}
