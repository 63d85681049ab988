import GraphQL

/// The parts of a document that a rule reads, as a tree along the names of fields.
struct ReadFields: Equatable {
    private enum Step: Hashable {
        case member(String)
        /// An element of a list, or a member of an object whatever its name is.
        case element
    }

    private var isWhole = false
    private var parts: [Step: ReadFields] = [:]

    init(of fields: [MappingRule.FieldName: FieldRule]) {
        let each = fields[.each].map { $0.from.compactMap(\.path).map { $0.map(Step.member) + [.element] } }
        for place in each ?? [] { insert(place, isWhole: false) }
        for (name, field) in fields where name != .each {
            for path in field.from.compactMap(\.path) {
                for place in each ?? [[]] { insert(place + path.map(Step.member), isWhole: true) }
            }
        }
    }

    private init() {}

    private mutating func insert(_ path: some Collection<Step>, isWhole: Bool) {
        if let first = path.first {
            parts[first, default: ReadFields()].insert(path.dropFirst(), isWhole: isWhole)
        } else {
            self.isWhole = self.isWhole || isWhole
        }
    }

    /// The parts of a document that none of the rules reads, by their names. `{}` stands for an element of a list, and
    /// for a member of an object whose members are read one after another.
    static func unread(in document: FirebaseDocument, by rules: [ReadFields]) -> [String] {
        if rules.contains(where: \.isWhole) { return [] }
        return document.fields.flatMap { field -> [String] in
            let part = part(field.name, of: rules)
            if part.readers.isEmpty { return [part.name] }
            // The values of fields that are read as a whole need not be parsed.
            if part.readers.contains(where: \.isWhole) { return [] }
            guard case .value(let value) = FieldValue(field.content) else { return [] }
            return unread(value, part)
        }
    }

    private static func unread(_ value: InputValue, _ part: Part) -> [String] {
        if part.readers.isEmpty { return [part.name] }
        if part.readers.contains(where: \.isWhole) { return [] }
        switch value {
        case .object(let object):
            return object.fields.flatMap { field -> [String] in
                var member = self.part(field.name, of: part.readers)
                member.name = "\(part.name).\(member.name)"
                return unread(field.value, member)
            }
        case .list(let values):
            let readers = part.readers.compactMap { $0.parts[.element] }
            if readers.isEmpty { return [part.name] }
            let element = Part(name: "\(part.name).{}", readers: readers, isElement: true)
            return values.flatMap { unread($0, element) }
        case .null: return []
        // A text or a number among elements is its own name, by which `{item}` reads it.
        default: return part.isElement ? [] : [part.name]
        }
    }

    /// A part of a document, with the rules' trees for it.
    private struct Part {
        var name: String
        let readers: [ReadFields]
        let isElement: Bool
    }

    private static func part(_ name: String, of readers: [ReadFields]) -> Part {
        let members = readers.compactMap { $0.parts[.member(name)] }
        let elements = readers.compactMap { $0.parts[.element] }
        let isElement = members.isEmpty && !elements.isEmpty
        return Part(name: isElement ? "{}" : name, readers: members + elements, isElement: isElement)
    }
}
