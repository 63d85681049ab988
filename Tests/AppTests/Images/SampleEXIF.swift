/// A TIFF structure with a turn, a maker and a place.
enum SampleEXIF {
    /// Found nowhere else in a file.
    static let place = Array("N40 24.9 W3 42.2".utf8)

    static func tiff(orientation: UInt8, isLittleEndian: Bool = false) -> [UInt8] {
        func number(_ value: UInt32, _ size: Int) -> [UInt8] {
            let bytes = (0..<size).map { UInt8(value >> UInt32(8 * $0) & 255) }
            return isLittleEndian ? bytes : bytes.reversed()
        }
        func entry(_ tag: UInt32, _ type: UInt32, _ count: UInt32, _ value: [UInt8]) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(count, 4) + value
        }
        let start: [UInt8] = isLittleEndian ? [0x49, 0x49, 0x2A, 0] : [0x4D, 0x4D, 0, 0x2A]
        return start + number(8, 4) + number(3, 2)
            + entry(0x010F, 2, UInt32(place.count), number(50, 4))
            + entry(0x0112, 3, 1, number(UInt32(orientation), 2) + [0, 0])
            + entry(0x8825, 4, 1, number(50, 4)) + number(0, 4) + place
    }
}
