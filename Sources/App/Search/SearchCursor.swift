import Cryptography
import GraphQL
import Postgres

/// A position in what a search found: the instant of its first page, by which all pages are ranked, the score, and the id
/// that breaks ties. Opaque to clients.
struct SearchCursor: LeafValue, Equatable {
    private static let version: UInt8 = 0x53

    let instant: Timestamp
    let score: Int64
    let id: UUID

    init(instant: Timestamp, score: Int64, id: UUID) {
        self.instant = instant
        self.score = score
        self.id = id
    }

    init?(_ text: String) {
        guard let bytes = Base64.url.decode(text), bytes.count == 33, bytes[0] == Self.version else { return nil }
        func word(_ offset: Int) -> UInt64 { bytes[offset..<(offset + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
        let instant = Int64(bitPattern: word(1))
        // An age in days is computed of it.
        guard Timestamp.searchable.contains(instant) else { return nil }
        self.init(
            instant: Timestamp(microseconds: instant), score: Int64(bitPattern: word(9)),
            id: UUID(high: word(17), low: word(25)))
    }

    func write(to json: inout JSONWriter) {
        var bytes = [Self.version]
        bytes.reserveCapacity(33)
        for word in [UInt64(bitPattern: instant.microseconds), UInt64(bitPattern: score), id.high, id.low] {
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        json.append(UInt8(ascii: "\""))
        json.append(Base64.url.encodedBytes(bytes))
        json.append(UInt8(ascii: "\""))
    }
}

extension Timestamp {
    /// The years 2000 to 2299, in microseconds of PostgreSQL's calendar.
    fileprivate static let searchable: Range<Int64> = 0..<9_467_107_200_000_000
}
