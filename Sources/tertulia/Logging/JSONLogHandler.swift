import FoundationEssentials
import Logging

/// One JSON object a line: time, level, message, and the metadata beside them.
struct JSONLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    private let write: @Sendable ([UInt8]) -> Void
    private let now: @Sendable () -> Date

    init(
        level: Logger.Level, write: @escaping @Sendable ([UInt8]) -> Void,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.logLevel = level
        self.write = write
        self.now = now
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var merged = metadata
        if let provided = metadataProvider?.get() { merged.merge(provided) { _, new in new } }
        if let explicit = event.metadata { merged.merge(explicit) { _, new in new } }

        var line: [UInt8] = []
        line.append(contentsOf: "{\"time\":\"\(now().formatted(Self.timestamp))\"".utf8)
        line.append(contentsOf: ",\"level\":\"\(event.level.rawValue)\",\"message\":".utf8)
        line.appendJSON(event.message.description)
        for (key, value) in merged.sorted(by: { $0.key < $1.key }) {
            line.append(UInt8(ascii: ","))
            line.appendJSON(key)
            line.append(UInt8(ascii: ":"))
            line.appendJSON(value)
        }
        line.append(contentsOf: "}\n".utf8)
        write(line)
    }

    private static let timestamp = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

extension [UInt8] {
    fileprivate mutating func appendJSON(_ value: Logger.Metadata.Value) {
        switch value {
        case .string(let text): appendJSON(text)
        case .stringConvertible(let value): appendJSON(value.description)
        case .array(let values):
            append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                appendJSON(value)
            }
            append(UInt8(ascii: "]"))
        case .dictionary(let values):
            append(UInt8(ascii: "{"))
            for (index, (key, value)) in values.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                appendJSON(key)
                append(UInt8(ascii: ":"))
                appendJSON(value)
            }
            append(UInt8(ascii: "}"))
        }
    }

    /// RFC 8259, section 7: quotation mark, reverse solidus and control characters are escaped.
    fileprivate mutating func appendJSON(_ text: String) {
        append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(contentsOf: [UInt8(ascii: "\\"), byte])
            case UInt8(ascii: "\n"): append(contentsOf: "\\n".utf8)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
            default: append(byte)
            }
        }
        append(UInt8(ascii: "\""))
    }
}
