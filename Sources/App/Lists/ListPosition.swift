import GraphQL
import Postgres

/// An item's place in a list, for clients that keep a list in order while it changes: of two positions in one list, the
/// one whose text is less by bytes comes first. Cursors cannot be compared so, because they are opaque to clients.
struct ListPosition: LeafValue, Equatable {
    /// The characters of base64url in the order of their bytes, so that encoding keeps the order.
    private static let alphabet = Array("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)

    /// 32 characters.
    let text: String

    init(order: Cursor.Order, key: Int64, id: UUID) {
        // With the sign bit flipped, the bytes of signed keys have the order of the keys.
        let ascending = [UInt64(bitPattern: key) ^ 1 << 63, id.high, id.low]
        let words = order.isDescending ? ascending.map(~) : ascending
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        for word in words {
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        text = String(unsafeUninitializedCapacity: 32) { characters in
            for group in 0..<8 {
                let bits = bytes[3 * group..<3 * group + 3].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                for place in 0..<4 {
                    characters[4 * group + place] = Self.alphabet[Int(bits >> (18 - 6 * UInt32(place)) & 63)]
                }
            }
            return 32
        }
    }

    func write(to json: inout JSONWriter) { json.write(.string(text)) }
}

extension ListItem {
    /// nil where the item does not stand in lists of this order.
    func position(in order: Cursor.Order) -> ListPosition? {
        positionKey(in: order).map { ListPosition(order: order, key: $0, id: sortID) }
    }
}
