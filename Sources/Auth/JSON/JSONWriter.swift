/// Writes members in the order in which they are given, so that the same claims give the same bytes.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    mutating func object(_ members: (inout JSONObjectWriter) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        var object = JSONObjectWriter(writer: self)
        members(&object)
        self = object.writer
        bytes.append(UInt8(ascii: "}"))
    }

    mutating func array<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func raw(_ text: some StringProtocol) { bytes.append(contentsOf: text.utf8) }

    mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x10: raw("\\u000" + String(byte, radix: 16))
            case 0x10..<0x20: raw("\\u00" + String(byte, radix: 16))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

struct JSONObjectWriter {
    fileprivate(set) var writer: JSONWriter
    private var isFirst = true

    fileprivate init(writer: JSONWriter) { self.writer = writer }

    mutating func member(_ name: String, _ write: (inout JSONWriter) -> Void) {
        if !isFirst { writer.raw(",") }
        isFirst = false
        writer.string(name)
        writer.raw(":")
        write(&writer)
    }

    mutating func member(_ name: String, _ text: String) { member(name) { $0.string(text) } }
    mutating func member(_ name: String, _ integer: Int64) { member(name) { $0.raw(String(integer)) } }
    mutating func member(_ name: String, _ boolean: Bool) { member(name) { $0.raw(boolean ? "true" : "false") } }
}
