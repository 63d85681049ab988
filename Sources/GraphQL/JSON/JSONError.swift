/// Why bytes are no JSON text, and where.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Reason: Equatable, Sendable {
        case unexpectedEnd
        case unexpectedByte(UInt8)
        case invalidNumber
        /// A number that no Double holds, as 1e400.
        case numberOutOfRange
        case controlCharacterInString
        case invalidEscape
        case loneSurrogate
        case invalidUTF8
        case tooDeep(maximum: Int)
    }

    public let reason: Reason
    /// In bytes, from the start of the text.
    public let offset: Int

    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    public var description: String {
        let what =
            switch reason {
            case .unexpectedEnd: "Unexpected end of JSON text"
            case .unexpectedByte(let byte) where 0x21...0x7E ~= byte:
                "Unexpected character \(Character(UnicodeScalar(byte))) in JSON text"
            case .unexpectedByte: "Unexpected byte in JSON text"
            case .invalidNumber: "Invalid number in JSON text"
            case .numberOutOfRange: "Number out of range in JSON text"
            case .controlCharacterInString: "Control character in a JSON string"
            case .invalidEscape: "Invalid escape in a JSON string"
            case .loneSurrogate: "Lone surrogate in a JSON string"
            case .invalidUTF8: "Invalid UTF-8 in a JSON string"
            case .tooDeep(let maximum): "JSON text nests deeper than \(maximum) levels"
            }
        return "\(what) at byte \(offset)."
    }
}
