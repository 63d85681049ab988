import CivilCalendar
import Glibc
import Logging
import Synchronization

/// Writes each log event as a line of text or of JSON. Control characters are escaped in both, so that text from a
/// client cannot begin a new line.
public struct StructuredLogHandler: LogHandler {
    public enum Format: String, Sendable, CaseIterable {
        case text, json
    }

    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let format: Format
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - label: the logger's label, a field of each line of JSON; lines of text do not have it.
    ///   - format: the form of a line.
    ///   - level: the least level that is written.
    ///   - write: writes one line with its line feed.
    public init(
        label: String, format: Format, level: Logger.Level = .info,
        write: @escaping @Sendable (String) -> Void = StructuredLogHandler.writeToStandardError
    ) {
        self.label = label
        self.format = format
        self.write = write
        logLevel = level
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var fields = metadata
        if let error = event.error { fields["error"] = "\(String(reflecting: error))" }
        if let provided = metadataProvider?.get() { fields.merge(provided) { $1 } }
        if let given = event.metadata { fields.merge(given) { $1 } }
        let sorted = fields.sorted { $0.key < $1.key }
        let time = CivilTime.now().timestamp
        switch format {
        case .text:
            var line = "\(time) \(event.level.rawValue) \(escaped(event.message.description, quotes: false))"
            for (name, value) in sorted { line += " \(name)=\(textValue(value))" }
            write(line + "\n")
        case .json:
            var line = "{\"time\":\"\(time)\",\"level\":\"\(event.level.rawValue)\",\"logger\":\(quoted(label))"
            line += ",\"message\":\(quoted(event.message.description))"
            for (name, value) in sorted { line += ",\(quoted(name)):\(jsonValue(value))" }
            write(line + "}\n")
        }
    }

    private func textValue(_ value: Logger.MetadataValue) -> String {
        let text = "\(value)"
        let isPlain =
            !text.isEmpty && text.unicodeScalars.allSatisfy { $0 != " " && $0 != "\"" && !breaksLine($0) }
        return isPlain ? text : quoted(text)
    }

    private func jsonValue(_ value: Logger.MetadataValue) -> String {
        switch value {
        case .string(let text): quoted(text)
        case .stringConvertible(let number as Int): String(number)
        case .stringConvertible(let number as Double) where number.isFinite: String(number)
        case .stringConvertible(let value): quoted(value.description)
        case .array(let values): "[" + values.map(jsonValue).joined(separator: ",") + "]"
        case .dictionary(let values):
            "{"
                + values.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(jsonValue($0.value))" }
                .joined(separator: ",") + "}"
        }
    }

    public static let writeToStandardError: @Sendable (String) -> Void = { line in
        var line = line
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let start = rest.baseAddress, !rest.isEmpty {
                let count = Glibc.write(STDERR_FILENO, start, rest.count)
                if count <= 0 { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}

/// True for a control character or a separator of lines.
private func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
    default: false
    }
}

private func quoted(_ text: String) -> String { "\"" + escaped(text, quotes: true) + "\"" }

/// RFC 8259, 7 Strings
private func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"" where quotes: escaped += "\\\""
        case "\\" where quotes: escaped += "\\\\"
        case "\n": escaped += "\\n"
        case "\r": escaped += "\\r"
        case "\t": escaped += "\\t"
        case _ where breaksLine(scalar):
            let digits = String(scalar.value, radix: 16)
            escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}
