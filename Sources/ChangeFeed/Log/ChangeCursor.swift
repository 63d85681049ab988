import Cryptography
import GraphQL

/// A position of the change log in one epoch. Clients hold it as an opaque string.
public struct ChangeCursor: LeafValue, Hashable {
    private static let version: UInt8 = 0x43
    /// The version of a cursor that has `held`.
    private static let versionWithHeld: UInt8 = 0x44

    /// The epoch of the position; in another epoch the same position has another row. Cursors from before
    /// epochs existed have the database's identity in this place. The identity equals no epoch, so they have expired.
    public let epoch: Int64
    public let position: ChangePosition
    /// The first position at which the client may lack a counter change, because conflation was holding the change back
    /// when the cursor was made; nil if no change was held back.
    public let held: ChangePosition?

    public init(epoch: Int64, position: ChangePosition, held: ChangePosition? = nil) {
        self.epoch = epoch
        self.position = position
        self.held = held
    }

    /// A cursor just before this change: a client that resumes from it receives the change again.
    public func before(_ change: Change) -> ChangeCursor {
        guard change.isCountersOnly else {
            return ChangeCursor(epoch: epoch, position: min(position, change.position.before), held: held)
        }
        let first = min(held ?? change.position, change.position)
        return ChangeCursor(epoch: epoch, position: position, held: first)
    }

    /// The cursor for a counter change that is sent because conflation may have held it back when this cursor was made.
    /// A client that has received the change has also received all earlier ones that were held back.
    public func after(held change: Change) -> ChangeCursor {
        let next = ChangePosition(transaction: change.position.transaction, row: change.position.row + 1)
        return ChangeCursor(epoch: epoch, position: position, held: next)
    }

    public init?(_ text: String) {
        guard let bytes = Base64.url.decode(text) else { return nil }
        let hasHeld = bytes.count == 41 && bytes[0] == Self.versionWithHeld
        guard hasHeld || (bytes.count == 25 && bytes[0] == Self.version) else { return nil }
        func word(_ offset: Int) -> Int64 {
            Int64(bitPattern: bytes[offset..<(offset + 8)].reduce(0) { $0 << 8 | UInt64($1) })
        }
        let words = stride(from: 1, to: bytes.count, by: 8).map(word)
        // Positions of the log have no negative numbers. The position before a negative one could overflow.
        guard words.dropFirst().allSatisfy({ $0 >= 0 }) else { return nil }
        self.init(
            epoch: words[0], position: ChangePosition(transaction: words[1], row: words[2]),
            held: hasHeld ? ChangePosition(transaction: words[3], row: words[4]) : nil)
    }

    public var text: String {
        var bytes = [held == nil ? Self.version : Self.versionWithHeld]
        bytes.reserveCapacity(41)
        var words = [epoch, position.transaction, position.row]
        if let held { words += [held.transaction, held.row] }
        for word in words {
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return String(decoding: Base64.url.encodedBytes(bytes), as: UTF8.self)
    }

    public func write(to json: inout JSONWriter) {
        json.append(UInt8(ascii: "\""))
        json.append(Array(text.utf8))
        json.append(UInt8(ascii: "\""))
    }

    /// Decodes the cursor that a client sent; nil if the client sent none. A position before or beyond the log is no
    /// error here: a read that begins at such a cursor throws CURSOR_EXPIRED.
    /// - Throws: BAD_USER_INPUT for text that is not a cursor.
    public static func decode(_ text: String?) throws -> ChangeCursor? {
        guard let text else { return nil }
        guard let cursor = ChangeCursor(text) else {
            throw ExecutionError("This cursor is malformed.", code: .badUserInput)
        }
        return cursor
    }
}
