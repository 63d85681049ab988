import GraphQL

/// Goes through a JSON text of any length with a fixed amount of memory: it opens arrays and objects, and it captures
/// or skips a whole value. `parseJSON` reads what was captured.
final class JSONScanner {
    /// A member's name.
    struct Key: Equatable {
        /// The limit of a name's JSON text, with its quotation marks and escapes. The Realtime Database allows keys of
        /// 768 bytes, and Firestore ids of 1,500.
        static let maximumByteCount = 4_096

        let text: String
        /// nil for a well-formed JSON string in UTF-8. Otherwise `text` has the name with its escapes unresolved, and
        /// with replacement characters for bytes that are not UTF-8.
        var defect: Defect?

        /// The reason why a name cannot be read. The raw value is a sentence about a path that contains the name.
        enum Defect: String {
            case encoding = "The path is not valid UTF-8."
            case syntax = "The path has an escape or a control character that JSON does not allow."
        }

        init(text: String, defect: Defect? = nil) {
            self.text = text
            self.defect = defect
        }

        /// - Parameter json: a JSON string with its quotation marks.
        init(json: [UInt8]) {
            if case .string(let text)? = try? parseJSON(json) {
                self.init(text: text)
            } else {
                let raw = json.dropFirst().dropLast()
                self.init(
                    text: String(decoding: raw, as: UTF8.self),
                    defect: String(validating: raw, as: UTF8.self) == nil ? .encoding : .syntax)
            }
        }
    }

    private let read: (UnsafeMutableRawBufferPointer) throws(ImportFailure) -> Int
    private let name: String
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    private var position = 0
    private var end = 0
    /// The number of bytes of the text that came before the buffer.
    private var passed = 0
    /// For each open array or object, the innermost last: whether no member of it was read yet.
    private var isFirst: [Bool] = []

    init(_ file: InputFile) {
        name = file.path
        read = { buffer throws(ImportFailure) in try file.read(into: buffer) }
    }

    /// - Parameter name: the name of the text in failures.
    init(_ bytes: [UInt8], name: String = "input") {
        self.name = name
        var rest = bytes[...]
        read = { buffer in
            let piece = rest.prefix(buffer.count)
            buffer.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
    }

    deinit { buffer.deallocate() }

    // MARK: - Structure

    /// Whether nothing but white space follows.
    var isAtEnd: Bool {
        get throws(ImportFailure) { try peek() == nil }
    }

    /// Skips white space. Returns the next byte, of a value or punctuation, without passing it; nil at the end.
    func peek() throws(ImportFailure) -> UInt8? {
        while true {
            while position < end {
                switch buffer[position] {
                case 0x20, 0x0A, 0x0D, 0x09: position += 1
                default: return buffer[position]
                }
            }
            if try !refill() { return nil }
        }
    }

    /// Opens an object. If the next value is not an object, returns false and stays before it.
    func beginObject() throws(ImportFailure) -> Bool { try begin(UInt8(ascii: "{")) }

    /// Opens an array. If the next value is not an array, returns false and stays before it.
    func beginArray() throws(ImportFailure) -> Bool { try begin(UInt8(ascii: "[")) }

    /// Reads the name of the next member and stops before its value. After the last member, closes the object and
    /// returns nil.
    func key() throws(ImportFailure) -> Key? {
        guard try !ends(with: UInt8(ascii: "}")) else { return nil }
        guard try peek() == UInt8(ascii: "\"") else { throw unexpected() }
        guard let raw = try capture(limit: Key.maximumByteCount) else {
            throw ImportFailure("\(name), byte \(passed + position): a name of more than 4,096 bytes.")
        }
        guard try peek() == UInt8(ascii: ":") else { throw unexpected() }
        position += 1
        return Key(json: raw)
    }

    /// Stops before the next element and returns true. After the last element, closes the array and returns false.
    func element() throws(ImportFailure) -> Bool { try !ends(with: UInt8(ascii: "]")) }

    /// Reads the text of the next value; a value of more than `limit` bytes is skipped and gives nil.
    func capture(limit: Int) throws(ImportFailure) -> [UInt8]? {
        var bytes: [UInt8] = []
        var isTooLong = false
        try pass { piece in
            if isTooLong { return }
            if bytes.count + piece.count > limit {
                isTooLong = true
                bytes = []
            } else {
                bytes.append(contentsOf: piece)
            }
        }
        return isTooLong ? nil : bytes
    }

    func skip() throws(ImportFailure) { try pass { _ in } }

    private func begin(_ bracket: UInt8) throws(ImportFailure) -> Bool {
        guard try peek() == bracket else { return false }
        position += 1
        isFirst.append(true)
        return true
    }

    /// Passes the comma before a member, or the closing bracket. Returns true after the bracket.
    private func ends(with bracket: UInt8) throws(ImportFailure) -> Bool {
        guard let first = isFirst.popLast(), let byte = try peek() else { throw unexpected() }
        if byte == bracket {
            position += 1
            return true
        }
        if !first {
            guard byte == UInt8(ascii: ",") else { throw unexpected() }
            position += 1
            guard try peek() != bracket else { throw unexpected() }
        }
        isFirst.append(false)
        return false
    }

    // MARK: - Bytes

    /// Passes the next value, in pieces. Brackets are counted, not matched: `parseJSON` matches those of captured
    /// values.
    private func pass(_ take: (UnsafeRawBufferPointer) -> Void) throws(ImportFailure) {
        guard let first = try peek() else { throw unexpected() }
        let isNested = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        if !isNested, first != UInt8(ascii: "\"") { return try passWord(take) }
        var depth = 0
        var isInString = false
        var isEscaped = false
        while true {
            let start = position
            while position < end {
                let byte = buffer[position]
                position += 1
                if isInString {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isInString = false
                        if depth == 0 { return take(UnsafeRawBufferPointer(rebasing: buffer[start..<position])) }
                    }
                    continue
                }
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth == 0 { return take(UnsafeRawBufferPointer(rebasing: buffer[start..<position])) }
                default: break
                }
            }
            take(UnsafeRawBufferPointer(rebasing: buffer[start..<position]))
            if try !refill() { throw unexpected() }
        }
    }

    /// Passes a number or a literal.
    private func passWord(_ take: (UnsafeRawBufferPointer) -> Void) throws(ImportFailure) {
        var isEmpty = true
        while true {
            let start = position
            scan: while position < end {
                switch buffer[position] {
                case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"),
                    UInt8(ascii: ":"), UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
                    break scan
                default: position += 1
                }
            }
            isEmpty = isEmpty && position == start
            take(UnsafeRawBufferPointer(rebasing: buffer[start..<position]))
            if position < end { break }
            if try !refill() { break }
        }
        if isEmpty { throw unexpected() }
    }

    /// Reads the next bytes into the buffer, in place of its contents.
    /// - Returns: false at the end of the text.
    private func refill() throws(ImportFailure) -> Bool {
        passed += end
        position = 0
        end = 0
        end = try read(buffer)
        return end > 0
    }

    private func unexpected() -> ImportFailure {
        position < end
            ? ImportFailure("\(name) is not JSON: unexpected byte at byte \(passed + position).")
            : ImportFailure("\(name) is not JSON: it ends within a value, after \(passed + position) bytes.")
    }
}
