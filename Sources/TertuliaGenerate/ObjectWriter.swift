import GraphQL

/// Writes the struct of a selection set: its properties, its `SelectionSet`, and how it is read.
struct ObjectWriter {
    /// `public ` or nothing.
    let access: String

    func write(_ model: ObjectModel, to text: inout SwiftText) {
        text.comment(model.description)
        text.block("\(access)struct \(model.name): SelectedObject") { text in
            for member in model.members {
                guard let property = member.property else { continue }
                text.comment(member.description)
                text.line("\(access)var \(property): \(member.type)")
            }
            if model.hasProperties { text.line() }
            writeSelection(model, to: &text)
            text.line()
            text.block("\(access)init(_ object: ObjectReader) throws(UnreadableResponse)") { text in
                for member in model.members { writeRead(member, to: &text) }
            }
            for member in model.members where member.property != nil {
                guard let nested = member.nested else { continue }
                text.line()
                write(nested, to: &text)
            }
        }
    }

    // MARK: - Reads

    private func writeRead(_ member: ObjectModel.Member, to text: inout SwiftText) {
        guard let property = member.property else { return }
        switch member.kind {
        case .field(let field, _):
            text.line("self.\(property) = try object.read(\(SwiftText.literal(field.responseName)))")
        case .fragment(let name, let responseNames, let narrowing):
            writeFragment(name, member, responseNames, narrowing, to: &text)
        case .inline(let model, let narrowing):
            writeFragment(model.name, member, model.responseNames, narrowing, to: &text)
        }
    }

    private func writeFragment(
        _ type: String, _ member: ObjectModel.Member, _ responseNames: [String],
        _ narrowing: ObjectModel.Narrowing?, to text: inout SwiftText
    ) {
        var conditions: [String] = []
        if let narrowing { conditions.append("object.isOne(of: \(list(narrowing.possibleTypes)))") }
        if member.isOptional { conditions.append("object.has(\(list(responseNames)))") }
        let property = member.property ?? ""
        if conditions.isEmpty {
            text.line("self.\(property) = try \(type)(object)")
        } else {
            text.line("self.\(property) = try \(conditions.joined(separator: " && ")) ? \(type)(object) : nil")
        }
    }

    private func list(_ names: [String]) -> String {
        "[" + names.map(SwiftText.literal).joined(separator: ", ") + "]"
    }

    // MARK: - Selections

    private func writeSelection(_ model: ObjectModel, to text: inout SwiftText) {
        text.line("\(access)static let selection = SelectionSet([")
        text.indented { text in
            for member in model.members { text.line(selection(member) + ",") }
        }
        text.line("])")
    }

    private func selection(_ member: ObjectModel.Member) -> String {
        var selection: String
        switch member.kind {
        case .field(let field, let object):
            selection = ".field(" + fieldArguments(field, object, isVisible: member.property != nil) + ")"
        case .fragment(let name, _, let narrowing):
            selection = fragment("\(name).selection", narrowing)
        case .inline(let model, let narrowing):
            let set =
                member.property == nil
                ? "SelectionSet([" + model.members.map(self.selection).joined(separator: ", ") + "])"
                : "\(model.name).selection"
            selection = fragment(set, narrowing)
        }
        if member.isDeferred { selection = ".deferred(\(selection))" }
        guard !member.conditions.isEmpty else { return selection }
        let alternatives = member.conditions.map { "[" + $0.map(condition).joined(separator: ", ") + "]" }
        return ".conditional([\(alternatives.joined(separator: ", "))], \(selection))"
    }

    private func fieldArguments(_ field: Field, _ object: ObjectModel?, isVisible: Bool) -> String {
        var parts = [SwiftText.literal(field.name.value)]
        if let alias = field.alias { parts.append("alias: \(SwiftText.literal(alias.value))") }
        if !field.arguments.isEmpty {
            let arguments = field.arguments.map {
                "(\(SwiftText.literal($0.name.value)), \(argumentValue($0.value)))"
            }
            parts.append("arguments: [\(arguments.joined(separator: ", "))]")
        }
        if let object { parts.append("\(object.name).selection") }
        return parts.joined(separator: ", ")
    }

    private func fragment(_ set: String, _ narrowing: ObjectModel.Narrowing?) -> String {
        guard let narrowing else { return ".always(\(set))" }
        return ".on(\(list(narrowing.possibleTypes)), \(set))"
    }

    private func condition(_ condition: ObjectModel.Condition) -> String {
        guard condition.isVariable else { return ".constant(\(condition.isSkip ? "!" : "")\(condition.value))" }
        return (condition.isSkip ? ".skip(" : ".include(") + SwiftText.literal(condition.value) + ")"
    }

    private func argumentValue(_ value: Value) -> String {
        switch value.kind {
        case .variable(let name): ".variable(\(SwiftText.literal(name)))"
        // A number beyond `Int` or `Double` is told from others by its digits.
        case .int(let digits): Int(digits) == nil ? ".string(\(SwiftText.literal(digits)))" : ".int(\(digits))"
        case .float(let digits):
            SwiftText.isDouble(digits) ? ".float(\(digits))" : ".string(\(SwiftText.literal(digits)))"
        case .string(let text): ".string(\(SwiftText.literal(text.value)))"
        case .enumeration(let name): ".string(\(SwiftText.literal(name)))"
        case .boolean(let value): ".boolean(\(value))"
        case .null: ".null"
        case .list(let values): ".list([\(values.map(argumentValue).joined(separator: ", "))])"
        case .object(let fields):
            ".object(["
                + fields.map { "(\(SwiftText.literal($0.name.value)), \(argumentValue($0.value)))" }
                .joined(separator: ", ") + "])"
        }
    }
}

extension ObjectModel.Member {
    /// The struct that is written inside the member's own.
    var nested: ObjectModel? {
        switch kind {
        case .field(_, let object): object
        case .inline(let model, _): model
        case .fragment: nil
        }
    }
}
