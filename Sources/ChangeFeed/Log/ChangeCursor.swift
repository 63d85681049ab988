import Cryptography
import GraphQL

/// A position in the log of one history of a database. Opaque to clients.
public struct ChangeCursor: LeafValue, Hashable {
    private static let version: UInt8 = 0x43
    /// With a place of what was held back.
    private static let versionWithHeld: UInt8 = 0x44

    /// The history that the position belongs to; another history has other rows at the same places. Older cursors held the
    /// database's identity here, which is no epoch: they have expired.
    public let epoch: Int64
    public let position: ChangePosition
    /// From where changes of counters were held back when the cursor was given: its owner has not got all of them.
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

    /// Of a change that was held back and comes again: its owner has got all up to it.
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
        // The log has no negative places, whose neighbours may be no numbers.
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

    /// A position that the log never had, or has no more, is not an error of the person who made the request.
    public static func decode(_ text: String?) throws -> ChangeCursor? {
        guard let text else { return nil }
        guard let cursor = ChangeCursor(text) else {
            throw ExecutionError("This cursor is malformed.", code: .badUserInput)
        }
        return cursor
    }
}
