import Cryptography
import GraphQL
import Postgres

/// The cursor of an item in a list, which is opaque to clients: the list's order, the item's sort key, and the id that
/// breaks ties.
struct Cursor: LeafValue, Equatable {
    /// The order of a list. A cursor of another order is refused.
    enum Order: UInt8 {
        case newest = 1, mostLiked, bestRated, mostDiscussed, created, chronological, oldest
        /// By the time at which the viewer liked or saved the thought, or first gave an RSVP to the event.
        case marked

        /// True if greater keys come first, and greater ids among equal keys.
        var isDescending: Bool { self != .chronological && self != .oldest }
    }

    /// The range of sort keys. A key is a timestamp of PostgreSQL in microseconds, the rank of a thought, or the number
    /// of a message.
    /// Source: PostgreSQL's timestamp.h, MIN_TIMESTAMP and END_TIMESTAMP
    private static let keys: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000

    let order: Order
    let key: Int64
    let id: UUID

    func write(to json: inout JSONWriter) {
        var bytes = [order.rawValue]
        bytes.reserveCapacity(25)
        for word in [UInt64(bitPattern: key), id.high, id.low] {
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        json.append(UInt8(ascii: "\""))
        json.append(Base64.url.encodedBytes(bytes))
        json.append(UInt8(ascii: "\""))
    }

    init(order: Order, key: Int64, id: UUID) {
        self.order = order
        self.key = key
        self.id = id
    }

    init?(_ text: String, order: Order) {
        guard let bytes = Base64.url.decode(text), bytes.count == 25, bytes[0] == order.rawValue else { return nil }
        func word(_ offset: Int) -> UInt64 { bytes[offset..<(offset + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
        let key = Int64(bitPattern: word(1))
        guard Self.keys.contains(key) else { return nil }
        self.init(order: order, key: key, id: UUID(high: word(9), low: word(17)))
    }
}
