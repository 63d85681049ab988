@testable import App

/// WebP files made of chunks.
enum SampleWebP {
    static func file(_ chunks: [UInt8]..., trailing: [UInt8] = []) -> [UInt8] {
        let body = Array("WEBP".utf8) + chunks.flatMap { $0 }
        return Array("RIFF".utf8) + little32(body.count) + body + trailing
    }

    static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little32(body.count) + body + (body.count % 2 == 1 ? [0] : [])
    }

    static func lossy(_ width: Int, _ height: Int) -> [UInt8] {
        let size = [width & 255, width >> 8, height & 255, height >> 8].map { UInt8($0) }
        // A key frame with a first partition of two bytes.
        return chunk("VP8 ", [0x50, 0, 0, 0x9D, 0x01, 0x2A] + size + [1, 2])
    }

    static func lossless(_ width: Int, _ height: Int, alpha: Bool = false) -> [UInt8] {
        chunk("VP8L", [0x2F] + little32((width - 1) | (height - 1) << 14 | (alpha ? 1 << 28 : 0)) + [7])
    }

    static func extended(_ flags: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
        chunk("VP8X", [flags, 0, 0, 0] + little24(width - 1) + little24(height - 1))
    }

    static let animation = chunk("ANIM", [0, 0, 0, 0, 0, 0])

    static func frame(_ width: Int, _ height: Int, x: Int = 0, _ chunks: [UInt8]...) -> [UInt8] {
        let header = little24(x / 2) + little24(0) + little24(width - 1) + little24(height - 1) + little24(100) + [0]
        return chunk("ANMF", header + chunks.flatMap { $0 })
    }

    private static func little32(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
    private static func little24(_ number: Int) -> [UInt8] { Array(little32(number).prefix(3)) }
}
