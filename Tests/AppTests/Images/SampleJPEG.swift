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
    /// The entropy-coded data of a scan; nil for the shortest.
    var data: [UInt8]?
    var end: [UInt8] = [0xFF, 0xD9]
    var trailing: [UInt8] = []

    static let jfif = segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 72, 0, 72, 0, 0])

    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
    }

    static func exif(_ tiff: [UInt8]) -> [UInt8] { segment(0xE1, Array("Exif\0\0".utf8) + tiff) }

    static let quantization = segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    /// A table for the first coefficients and one for the others. The one code of each is 0: for a coefficient without bits,
    /// and for the end of a block.
    static let huffman = segment(
        0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 16) + [0x10, 1] + [UInt8](repeating: 0, count: 16))

    /// Bits as a scan has them: filled up with ones, and a zero behind each 0xFF.
    static func bits(_ text: String) -> [UInt8] {
        let bits = text.filter { $0 != " " }.map { $0 == "1" ? UInt8(1) : 0 }
        return stride(from: 0, to: bits.count, by: 8).flatMap { start -> [UInt8] in
            let byte = (0..<8).reduce(UInt8(0)) { byte, index in
                byte << 1 | (start + index < bits.count ? bits[start + index] : 1)
            }
            return byte == 0xFF ? [0xFF, 0] : [byte]
        }
    }

    /// A scan of components, by their numbers and Huffman tables, with the coefficients of a band.
    static func scan(
        _ components: [UInt8], tables: UInt8 = 0, band: ClosedRange<UInt8> = 0...63, approximation: UInt8 = 0,
        _ data: [UInt8]
    ) -> [UInt8] {
        segment(
            0xDA,
            [UInt8(components.count)] + components.flatMap { [$0, tables] }
                + [band.lowerBound, band.upperBound, approximation]) + data
    }

    var frame: [UInt8] {
        let size = [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
        return Self.segment(frameMarker, [8] + size + [components] + (0..<components).flatMap { [$0 + 1, 0x11, 0] })
    }

    var scan: [UInt8] {
        let isProgressive = frameMarker == 0xC2
        // Two units, with a block of each component.
        let bits = String(repeating: "0", count: 2 * Int(components) * (isProgressive ? 1 : 2))
        return Self.scan(
            (0..<components).map { $0 + 1 }, band: 0...(isProgressive ? 0 : 63), data ?? Self.bits(bits))
    }

    var bytes: [UInt8] {
        let parts = [[0xFF, 0xD8]] + metadata + [Self.quantization, frame, Self.huffman]
        return (parts + Array(repeating: scan, count: scans) + [end, trailing]).flatMap { $0 }
    }
}
