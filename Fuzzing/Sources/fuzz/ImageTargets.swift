@testable import App

/// Any bytes are refused or become an image that is clean: it stays as it is when it is cleaned again.
func fuzzImage(_ bytes: [UInt8]) {
    for file in [bytes, withChecksums(bytes)] {
        guard let image = try? CleanImage(cleaning: file) else { continue }
        precondition(image.bytes.count <= file.count, "It has grown.")
        precondition(image.width > 0 && image.height > 0 && image.width * image.height <= ImageLimits.pixels)
        do {
            let again = try CleanImage(cleaning: image.bytes)
            precondition(again == image, "It was not clean.")
        } catch {
            preconditionFailure("What was stored is \(error).")
        }
    }
}

/// A PNG's chunks with the checksums that they should have: no fuzzer guesses them.
private func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var start = 8
    while start + 12 <= bytes.count {
        let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        let end = start + 8 + length
        guard end + 4 <= bytes.count else { break }
        let checksum = CRC32.checksum(bytes[start + 4..<end])
        for index in 0..<4 { bytes[end + index] = UInt8(checksum >> (24 - 8 * index) & 255) }
        start = end + 4
    }
    return bytes
}
