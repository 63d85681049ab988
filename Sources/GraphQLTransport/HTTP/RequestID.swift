import Cryptography
import Synchronization

/// The name of one request in the log, in the answer's `X-Request-Id`, and in the error that a client quotes.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    /// A client's own id, where it is short and harmless in a log: 1 to 64 letters, digits, `-`, `_`, `.`.
    init?(client text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(isHarmless) else { return nil }
        description = text
    }

    private init(made text: String) { description = text }

    /// The ID is a random prefix of the process and a count, which is cheaper than a random number for each request.
    static func make() -> RequestID {
        let (count, _) = issued.add(1, ordering: .relaxed)
        return RequestID(
            made: String(unsafeUninitializedCapacity: 24) { bytes in
                Hex.write(processPrefix, digits: 12, into: bytes, at: 0)
                Hex.write(count, digits: 12, into: bytes, at: 12)
                return 24
            })
    }

    private static let processPrefix = UInt64.random(in: 0...UInt64.max)
    private static let issued = Atomic<UInt64>(0)
}

private func isHarmless(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
    default: false
    }
}
