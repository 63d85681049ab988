/// Splits a multipart body into its parts while it comes in. It buffers no more than the header of one part.
///
///     var input = chunk[...]
///     while let event = try parser.next(&input) { … }
///
/// RFC 2046, 5.1 Multipart Media Type; RFC 7578
struct MultipartParser {
    enum Event: Equatable {
        case partBegins(PartHeader)
        /// A piece of the part's content. The pieces' lengths depend on the input's.
        case content(ArraySlice<UInt8>)
        case partEnds
    }

    private enum State {
        /// Before the first delimiter.
        case preamble
        /// Behind a delimiter. `dashes` is the number of dashes read after it; two would make it the last delimiter.
        /// `isReturned`: a CR was read.
        case delimited(dashes: Int, isReturned: Bool)
        case header(isReturned: Bool)
        case content
        /// Behind the last delimiter.
        case epilogue
    }

    /// The greatest length of one part's header, in bytes.
    static let maxHeaderSize = 8 << 10

    private let delimiter: [UInt8]
    private let maxOverhead: Int
    private var state = State.preamble
    /// How many bytes of the delimiter have matched. It begins at 2, since the first delimiter needs no CRLF before it.
    private var matched = 2
    private var line: [UInt8] = []
    private var header = PartHeader()
    private var headerSize = 0
    /// The number of bytes so far that were counted. It begins at -2 for the CRLF that has matched without being read.
    private var overhead = -2

    /// - Parameter maxOverhead: the greatest number of bytes that `count` takes.
    init(_ boundary: MultipartBoundary, maxOverhead: Int = .max) {
        delimiter = boundary.delimiter
        self.maxOverhead = maxOverhead
    }

    /// The next event, whose bytes are removed from the front of the input; nil where more input is needed.
    mutating func next(_ input: inout ArraySlice<UInt8>) throws(MultipartError) -> Event? {
        while true {
            switch state {
            case .preamble:
                guard let isFound = try readPreamble(&input) else { return nil }
                if isFound { state = .delimited(dashes: 0, isReturned: false) }
            case .content:
                guard let event = readContent(&input) else { return nil }
                if case .partEnds = event {
                    try count(delimiter.count)
                    state = .delimited(dashes: 0, isReturned: false)
                }
                return event
            case .delimited(let dashes, let isReturned):
                guard let byte = input.popFirst() else { return nil }
                try count(1)
                state = try Self.state(behindDelimiter: byte, dashes, isReturned)
            case .header(let isReturned):
                guard let byte = input.popFirst() else { return nil }
                try count(1)
                if let event = try readHeader(byte, isReturned) { return event }
            case .epilogue:
                try count(input.count)
                input = []
                return nil
            }
        }
    }

    /// Ends the body. Throws where the last delimiter is missing.
    func finish() throws(MultipartError) {
        if case .epilogue = state { return }
        throw .malformed("The body ends before its last boundary.")
    }

    /// Counts bytes that are not the content of a file. The parser itself counts all bytes but the contents of parts;
    /// the caller knows which parts are fields, and counts their contents.
    mutating func count(_ bytes: Int) throws(MultipartError) {
        overhead += bytes
        if overhead > maxOverhead {
            throw .tooLarge("Beside its files the body is larger than \(maxOverhead) bytes.")
        }
    }

    // MARK: - Delimiters

    /// Returns true once the delimiter is reached; nil where the input is used up.
    private mutating func readPreamble(_ input: inout ArraySlice<UInt8>) throws(MultipartError) -> Bool? {
        guard let event = readContent(&input) else { return nil }
        switch event {
        case .content(let bytes): try count(bytes.count)
        case .partEnds, .partBegins:
            try count(delimiter.count)
            return true
        }
        return false
    }

    /// The content up to the delimiter. A delimiter has its only CR at its front, so after a partial match the search
    /// needs no step back.
    private mutating func readContent(_ input: inout ArraySlice<UInt8>) -> Event? {
        while !input.isEmpty {
            if matched == 0 {
                let end = input.firstIndex(of: delimiter[0]) ?? input.endIndex
                if end > input.startIndex {
                    defer { input = input[end...] }
                    return .content(input[..<end])
                }
            }
            while matched < delimiter.count, let byte = input.first, byte == delimiter[matched] {
                matched += 1
                input.removeFirst()
            }
            if matched == delimiter.count {
                matched = 0
                return .partEnds
            }
            if !input.isEmpty {
                defer { matched = 0 }
                return .content(delimiter[..<matched])
            }
        }
        return nil
    }

    /// encapsulation := delimiter transport-padding CRLF body-part; close-delimiter := delimiter "--"
    private static func state(
        behindDelimiter byte: UInt8, _ dashes: Int, _ isReturned: Bool
    ) throws(MultipartError) -> State {
        switch byte {
        case UInt8(ascii: "-") where dashes == 1: return .epilogue
        case UInt8(ascii: "-") where dashes == 0 && !isReturned: return .delimited(dashes: 1, isReturned: false)
        case UInt8(ascii: " ") where dashes == 0 && !isReturned, UInt8(ascii: "\t") where dashes == 0 && !isReturned:
            return .delimited(dashes: 0, isReturned: false)
        case UInt8(ascii: "\r") where dashes == 0 && !isReturned: return .delimited(dashes: 0, isReturned: true)
        case UInt8(ascii: "\n") where isReturned: return .header(isReturned: false)
        default: throw .malformed("A boundary is not followed by a line break.")
        }
    }

    // MARK: - Headers

    private mutating func readHeader(_ byte: UInt8, _ isReturned: Bool) throws(MultipartError) -> Event? {
        headerSize += 1
        if headerSize > Self.maxHeaderSize {
            throw .malformed("A part's header is larger than \(Self.maxHeaderSize) bytes.")
        }
        switch (byte, isReturned) {
        case (UInt8(ascii: "\n"), true):
            state = .header(isReturned: false)
            return try endLine()
        case (UInt8(ascii: "\r"), false): state = .header(isReturned: true)
        case (UInt8(ascii: "\n"), false), (_, true):
            throw .malformed("A line of a part's header does not end with CR and LF.")
        default: line.append(byte)
        }
        return nil
    }

    private mutating func endLine() throws(MultipartError) -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        if !line.isEmpty {
            try header.read(line)
            return nil
        }
        defer {
            header = PartHeader()
            headerSize = 0
        }
        state = .content
        return .partBegins(header)
    }
}
