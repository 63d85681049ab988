import Cryptography
import GraphQL

/// A place in the change log, which is read in the order of transactions, then of rows.
struct ChangePosition: Hashable, Comparable, Sendable {
    /// `xid8`: it never wraps around.
    let transaction: Int64
    let row: Int64

    static func < (left: Self, right: Self) -> Bool {
        (left.transaction, left.row) < (right.transaction, right.row)
    }
}

/// A position of one database's log. Opaque to clients.
struct ChangeCursor: LeafValue, Hashable {
    private static let version: UInt8 = 0x43

    /// Of the database cluster: a restored copy has the same rows at other places.
    let system: Int64
    let position: ChangePosition

    init(system: Int64, position: ChangePosition) {
        self.system = system
        self.position = position
    }

    /// From where the row itself comes again.
    var before: ChangeCursor {
        let row = position.row - 1
        return ChangeCursor(system: system, position: ChangePosition(transaction: position.transaction, row: row))
    }

    init?(_ text: String) {
        guard let bytes = Base64.url.decode(text), bytes.count == 25, bytes[0] == Self.version else { return nil }
        func word(_ offset: Int) -> Int64 {
            Int64(bitPattern: bytes[offset..<(offset + 8)].reduce(0) { $0 << 8 | UInt64($1) })
        }
        self.init(system: word(1), position: ChangePosition(transaction: word(9), row: word(17)))
    }

    var text: String {
        var bytes = [Self.version]
        bytes.reserveCapacity(25)
        for word in [system, position.transaction, position.row] {
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return String(decoding: Base64.url.encodedBytes(bytes), as: UTF8.self)
    }

    func write(to json: inout JSONWriter) {
        json.append(UInt8(ascii: "\""))
        json.append(Array(text.utf8))
        json.append(UInt8(ascii: "\""))
    }

    /// A position that the log never had, or has no more, is not an error of the person who made the request.
    static func decode(_ text: String?) throws -> ChangeCursor? {
        guard let text else { return nil }
        guard let cursor = ChangeCursor(text) else {
            throw ExecutionError("This cursor is malformed.", code: .badUserInput)
        }
        return cursor
    }
}
