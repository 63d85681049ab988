import App
import Yams

/// Reads a mapping file. docs/from-firebase.md describes its language.
struct MappingParser {
    /// The name or path of the mapping, with which each failure begins.
    let name: String

    func parse(_ text: String) throws(ImportFailure) -> Mapping {
        // With YAML's aliases a small file can expand without end, and no mapping needs them.
        if text.contains("*") { throw ImportFailure("\(name): a mapping has no asterisk, and so no aliases.") }
        let root: Node?
        do { root = try Yams.compose(yaml: text) } catch { throw ImportFailure("\(name) is not YAML: \(error)") }
        guard let root, case .mapping(let members) = root else {
            throw ImportFailure("\(name): a mapping is an object with the list \"paths\".")
        }
        var rules: [MappingRule] = []
        for (key, value) in members {
            guard key.scalar?.string == "paths", case .sequence(let entries) = value else {
                throw failure(key, "a mapping has the list \"paths\" and nothing else")
            }
            for entry in entries { rules += try parse(entry: entry) }
        }
        if rules.isEmpty { throw ImportFailure("\(name): the list \"paths\" is missing or empty.") }
        return Mapping(name: name, rules: rules)
    }

    private func parse(entry: Node) throws(ImportFailure) -> [MappingRule] {
        guard case .mapping(let members) = entry else {
            throw failure(entry, "an entry has a path and what becomes of its documents")
        }
        guard let text = members.first(where: { $0.key.scalar?.string == "path" })?.value.scalar?.string,
            let path = PathPattern(text)
        else { throw failure(entry, "the path is missing or malformed; it is written as thoughts/{thought}") }
        var rules: [MappingRule] = []
        for (key, value) in members where key.scalar?.string != "path" {
            guard let target = key.scalar.flatMap({ MappingRule.Target(rawValue: $0.string) }) else {
                let known = MappingRule.Target.allCases.map(\.rawValue).joined(separator: ", ")
                throw failure(key, "there is no \"\(key.scalar?.string ?? "")\"; there are \(known)")
            }
            rules.append(try parse(target, value, path))
        }
        if rules.isEmpty { throw failure(entry, "nothing becomes of the documents of \(text); say ignore: true") }
        return rules
    }

    private func parse(
        _ target: MappingRule.Target, _ node: Node, _ path: PathPattern
    ) throws(ImportFailure) -> MappingRule {
        if target == .ignore {
            guard boolean(node) == true else { throw failure(node, "ignore is true or left out") }
            return MappingRule(path: path, target: target, fields: [:])
        }
        guard case .mapping(let members) = node else { throw failure(node, "\(target.rawValue) has fields") }
        let known = target.required.union(target.optional)
        var nodes: [(name: MappingRule.FieldName, node: Node)] = []
        for (key, value) in members {
            guard let name = key.scalar.flatMap({ MappingRule.FieldName(rawValue: $0.string) }), known.contains(name)
            else {
                let names = known.map(\.rawValue).sorted().joined(separator: ", ")
                throw failure(key, "\(target.rawValue) has no \"\(key.scalar?.string ?? "")\"; it has \(names)")
            }
            nodes.append((name, value))
        }
        let hasEach = nodes.contains { $0.name == .each }
        var fields: [MappingRule.FieldName: FieldRule] = [:]
        for (name, node) in nodes {
            let variables = path.variables.union(hasEach && name != .each ? [MappingRule.item] : [])
            fields[name] = try parse(name, node, variables)
        }
        let missing = target.required.subtracting(fields.keys).map(\.rawValue).sorted()
        if !missing.isEmpty {
            throw failure(node, "\(target.rawValue) needs \(missing.joined(separator: ", "))")
        }
        return MappingRule(path: path, target: target, fields: fields)
    }

    private func parse(
        _ name: MappingRule.FieldName, _ node: Node, _ variables: Set<String>
    ) throws(ImportFailure) -> FieldRule {
        guard case .mapping(let members) = node else {
            return FieldRule(from: try expressions(node, variables))
        }
        var rule = FieldRule(from: [])
        for (key, value) in members {
            switch (key.scalar?.string, value) {
            case ("from", _): rule.from = try expressions(value, variables)
            case ("values", .mapping(let pairs)):
                for (text, replacement) in pairs {
                    guard let text = text.scalar?.string, let replacement = replacement.scalar?.string else {
                        throw failure(value, "values are texts")
                    }
                    rule.values[text.lowercased()] = replacement
                }
            case ("default", _): rule.fallback = try fallback(of: name, value)
            case ("cut", _): rule.cuts = try boolean("cut", value)
            case ("format", .scalar(let text)):
                guard let format = DateFormat(text.string) else {
                    throw failure(value, "\"\(text.string)\" is not a format; an example is dd/MM/yyyy HH:mm")
                }
                rule.format = format
            case ("minutesAfterStart", .scalar(let text)):
                guard let minutes = Int(text.string), (1...1_000_000).contains(minutes) else {
                    throw failure(value, "minutesAfterStart is a number from 1 to 1000000")
                }
                rule.minutesAfterStart = minutes
            default:
                throw failure(
                    key, "a field has from, values, default, cut, format and minutesAfterStart, each of its own kind")
            }
        }
        return rule
    }

    /// Reads the `default` of a field.
    private func fallback(of name: MappingRule.FieldName, _ node: Node) throws(ImportFailure) -> String {
        switch name {
        case .published: return try boolean("default", node) ? "true" : "false"
        case .stars:
            guard let stars = node.scalar.flatMap({ Int($0.string) }), WrittenThought.stars.contains(stars) else {
                throw failure(node, "default is a number from 1 to 5")
            }
            return String(stars)
        default:
            guard let text = node.scalar?.string else { throw failure(node, "default is a text") }
            return text
        }
    }

    private func boolean(_ option: String, _ node: Node) throws(ImportFailure) -> Bool {
        guard let value = boolean(node) else {
            throw failure(node, "\(option) is true or false, without quotation marks")
        }
        return value
    }

    /// nil for anything but a boolean of YAML 1.1 or 1.2.
    /// Source: YAML 1.1, Boolean Language-Independent Type; YAML 1.2, section 10.3.2 "Tag Resolution"
    private func boolean(_ node: Node) -> Bool? {
        guard case .scalar(let scalar) = node, scalar.style == .plain else { return nil }
        let word = scalar.string.lowercased()
        // "True" and "TRUE" are booleans, and "tRUE" is a text.
        let spellings = [word, word.prefix(1).uppercased() + word.dropFirst(), word.uppercased()]
        guard spellings.contains(scalar.string) else { return nil }
        switch word {
        case "true", "yes", "on", "y": return true
        case "false", "no", "off", "n": return false
        default: return nil
        }
    }

    /// Reads one expression, or a list of expressions, of which the first that finds a value counts.
    private func expressions(_ node: Node, _ variables: Set<String>) throws(ImportFailure) -> [Expression] {
        let nodes: [Node] = if case .sequence(let list) = node { Array(list) } else { [node] }
        var expressions: [Expression] = []
        for node in nodes {
            guard let text = node.scalar?.string, let expression = Expression(text, variables: variables) else {
                throw failure(
                    node, "a value is a field's name, a text with segments of the path in braces, or a constant after ="
                )
            }
            expressions.append(expression)
        }
        return expressions
    }

    private func failure(_ node: Node, _ text: String) -> ImportFailure {
        ImportFailure("\(name), line \(node.mark?.line ?? 1): \(text).")
    }
}
