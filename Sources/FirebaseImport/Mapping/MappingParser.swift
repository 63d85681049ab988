import Yams

/// Reads a mapping file. docs/from-firebase.md describes its language.
struct MappingParser {
    /// Stands in failures.
    let name: String

    func parse(_ text: String) throws(ImportFailure) -> Mapping {
        // Aliases could make a small file an endless one, and a mapping has no use for them.
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
            guard node.scalar?.string == "true" else { throw failure(node, "ignore is true or left out") }
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
            fields[name] = try parse(field: node, variables)
        }
        let missing = target.required.subtracting(fields.keys).map(\.rawValue).sorted()
        if !missing.isEmpty {
            throw failure(node, "\(target.rawValue) needs \(missing.joined(separator: ", "))")
        }
        return MappingRule(path: path, target: target, fields: fields)
    }

    private func parse(field node: Node, _ variables: Set<String>) throws(ImportFailure) -> FieldRule {
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
            case ("default", .scalar(let text)): rule.fallback = text.string
            case ("cut", .scalar(let text)): rule.cuts = text.string == "true"
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

    /// One expression, or several of which the first with a value counts.
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
