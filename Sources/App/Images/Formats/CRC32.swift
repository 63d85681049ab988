/// The checksum of a PNG chunk.
/// Source: PNG Specification (Third Edition), annex D
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { (byte: UInt32) in
        (0..<8).reduce(byte) { code, _ in code & 1 == 1 ? 0xEDB8_8320 ^ (code >> 1) : code >> 1 }
    }

    static func checksum(_ bytes: ArraySlice<UInt8>) -> Int {
        let code = table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { bytes in
                var code = UInt32.max
                for byte in bytes { code = table[Int((code ^ UInt32(byte)) & 255)] ^ (code >> 8) }
                return code
            }
        }
        return Int(~code)
    }
}
