@testable import App

/// JPEG files made of segments.
struct SampleJPEG {
    var width = 16
    var height = 8
    var frameMarker: UInt8 = 0xC0
    var components: UInt8 = 1
    /// Between the start and the tables.
    var metadata: [[UInt8]] = [jfif]
    var scans = 1
    var data: [UInt8] = [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]
    var end: [UInt8] = [0xFF, 0xD9]
    var trailing: [UInt8] = []

    static let jfif = segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 72, 0, 72, 0, 0])

    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
    }

    static func exif(_ tiff: [UInt8]) -> [UInt8] { segment(0xE1, Array("Exif\0\0".utf8) + tiff) }

    static let quantization = segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    static let huffman = segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 15) + [0])

    var frame: [UInt8] {
        let size = [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
        return Self.segment(frameMarker, [8] + size + [components] + (0..<components).flatMap { [$0 + 1, 0x11, 0] })
    }

    var scan: [UInt8] {
        Self.segment(0xDA, [components] + (0..<components).flatMap { [$0 + 1, 0] } + [0, 63, 0]) + data
    }

    var bytes: [UInt8] {
        let parts = [[0xFF, 0xD8]] + metadata + [Self.quantization, frame, Self.huffman]
        return (parts + Array(repeating: scan, count: scans) + [end, trailing]).flatMap { $0 }
    }
}
