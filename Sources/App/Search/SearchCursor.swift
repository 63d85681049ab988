import Cryptography
import GraphQL
import Postgres

/// The cursor of a match. It holds how widely the search's first page matched, the instant of that page, the match's
/// score, and the id that breaks ties. All pages are ranked by the first page's instant. Opaque to clients.
struct SearchCursor: LeafValue, Equatable {
    private static let version: UInt8 = 0x54

    let breadth: SearchBreadth
    let instant: Timestamp
    let score: Int64
    let id: UUID

    init(breadth: SearchBreadth, instant: Timestamp, score: Int64, id: UUID) {
        self.breadth = breadth
        self.instant = instant
        self.score = score
        self.id = id
    }

    init?(_ text: String) {
        guard let bytes = Base64.url.decode(text), bytes.count == 34, bytes[0] == Self.version,
            let breadth = SearchBreadth(rawValue: bytes[1])
        else { return nil }
        func word(_ offset: Int) -> UInt64 { bytes[offset..<(offset + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
        let instant = Int64(bitPattern: word(2))
        // The instant is bounded because the statement computes ages from it.
        guard Timestamp.searchable.contains(instant) else { return nil }
        self.init(
            breadth: breadth, instant: Timestamp(microseconds: instant), score: Int64(bitPattern: word(10)),
            id: UUID(high: word(18), low: word(26)))
    }

    func write(to json: inout JSONWriter) {
        var bytes = [Self.version, breadth.rawValue]
        bytes.reserveCapacity(34)
        for word in [UInt64(bitPattern: instant.microseconds), UInt64(bitPattern: score), id.high, id.low] {
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        json.append(UInt8(ascii: "\""))
        json.append(Base64.url.encodedBytes(bytes))
        json.append(UInt8(ascii: "\""))
    }
}

extension Timestamp {
    /// The years 2000 to 2299, in microseconds since 2000-01-01 00:00 UTC, as `Timestamp` counts them.
    fileprivate static let searchable: Range<Int64> = 0..<9_467_107_200_000_000
}
