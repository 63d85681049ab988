extension NamedType {
    public var description: String? {
        switch self {
        case .scalar(let type): type.description
        case .object(let type): type.description
        case .interface(let type): type.description
        case .union(let type): type.description
        case .enumeration(let type): type.description
        case .inputObject(let type): type.description
        }
    }

    /// The directives applied to the type's definition and extensions.
    public var appliedDirectives: [Directive] {
        switch self {
        case .scalar(let type): type.directives
        case .object(let type): type.directives
        case .interface(let type): type.directives
        case .union(let type): type.directives
        case .enumeration(let type): type.directives
        case .inputObject(let type): type.directives
        }
    }
}

extension StringValue {
    /// A description as it is printed: a block wherever a block can hold it.
    init?(description: String?) {
        guard let description else { return nil }
        self.init(description, isBlock: Self.fitsBlock(description))
    }

    /// Whether a block string with this text reads back as the same text.
    /// Spec: 2.9.4 String Value, BlockStringValue
    private static func fitsBlock(_ text: String) -> Bool {
        let isUnprintable = { (byte: UInt8) in byte < 0x20 && byte != 0x0A && byte != 0x09 }
        if text.utf8.contains(where: isUnprintable) { return false }
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        let isBlank = { (line: String.UTF8View.SubSequence) in line.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
        guard let first = lines.first, let last = lines.last, !isBlank(first), !isBlank(last) else {
            return text.isEmpty
        }
        let isIndented = { (line: String.UTF8View.SubSequence) in line.first == 0x20 || line.first == 0x09 }
        return lines.count == 1 || !lines.filter { !isBlank($0) }.allSatisfy(isIndented)
    }
}
