import GraphQL

/// Puts the parts of a response together as a client does, and notes where they break the format's rules.
struct IncrementalMerge {
    private(set) var data = InputValue.null
    private(set) var errors: [InputValue] = []
    /// Whether a fragment or a list ended in an error, so that something of it is missing.
    private(set) var isCutOff = false
    private(set) var violations: [String] = []
    private var pending: [String: [InputValue]] = [:]
    private var knownIDs: Set<String> = []

    init(_ parts: [String], _ format: IncrementalFormat) throws {
        for (index, text) in parts.enumerated() {
            guard case .object(let part) = try parseJSON(Array(text.utf8)) else { continue }
            if index == 0 {
                data = part["data"] ?? .null
                errors += part["errors"].items
            }
            if (part["hasNext"] ?? .boolean(false)) != .boolean(index < parts.count - 1) {
                violations.append("hasNext of part \(index)")
            }
            for case .object(let result) in part["pending"].items { announce(result) }
            for case .object(let increment) in part["incremental"].items {
                if format == .current { apply(increment) } else { applyOlder(increment) }
            }
            for case .object(let completion) in part["completed"].items {
                if pending.removeValue(forKey: completion["id"].text) == nil { violations.append("completed twice") }
                errors += completion["errors"].items
                if completion["errors"] != nil { isCutOff = true }
            }
        }
        if !pending.isEmpty { violations.append("never completed: \(pending.keys)") }
    }

    /// Whether the error happened inside of what is null, or not there, because of another.
    func isTakenBack(_ error: InputValue) -> Bool {
        guard case .object(let error) = error else { return false }
        var data = data
        let isThere = data.change(at: error["path"].items.dropLast()[...]) { value in
            if value == .null { value = .boolean(false) }
        }
        return !isThere || data != self.data
    }

    private mutating func announce(_ result: InputObject) {
        let id = result["id"].text
        if !knownIDs.insert(id).inserted { violations.append("id \(id) given twice") }
        pending[id] = result["path"].items
    }

    private mutating func apply(_ increment: InputObject) {
        errors += increment["errors"].items
        guard let path = pending[increment["id"].text] else { return violations.append("an id that is not pending") }
        if let items = increment["items"] {
            change(at: path[...]) { list in list = .list(Optional(list).items + Optional(items).items) }
        } else if case .object(let more)? = increment["data"] {
            var repeats: [String] = []
            change(at: (path + increment["subPath"].items)[...]) { object in
                guard case .object(var known) = object else { return repeats.append("no object to add to") }
                repeats += more.fields.map(\.name).filter { known[$0] != nil }
                known.fields += more.fields
                object = .object(known)
            }
            violations += repeats
        }
    }

    private mutating func applyOlder(_ increment: InputObject) {
        errors += increment["errors"].items
        if increment["items"] == .null || increment["data"] == .null { return isCutOff = true }
        let path = increment["path"].items
        if let items = increment["items"], case .int(let start)? = path.last {
            change(at: path.dropLast()) { list in
                let known = Optional(list).items
                let merged = InputValue.list(Array(known.dropFirst(start))).merged(with: items)
                list = .list(known.prefix(start) + Optional(merged).items)
            }
        } else if let more = increment["data"] {
            change(at: path[...]) { $0 = $0.merged(with: more) }
        }
    }

    private mutating func change(at path: ArraySlice<InputValue>, _ change: (inout InputValue) -> Void) {
        if !data.change(at: path, change) { violations.append("no such path: \(path)") }
    }
}

extension InputValue {
    fileprivate mutating func change(at path: ArraySlice<InputValue>, _ body: (inout InputValue) -> Void) -> Bool {
        guard let first = path.first else {
            body(&self)
            return true
        }
        switch (self, first) {
        case (.object(var object), .string(let key)):
            guard let position = object.fields.firstIndex(where: { $0.name == key }) else { return false }
            let isFound = object.fields[position].value.change(at: path.dropFirst(), body)
            self = .object(object)
            return isFound
        case (.list(var items), .int(let index)):
            guard items.indices.contains(index) else { return false }
            let isFound = items[index].change(at: path.dropFirst(), body)
            self = .list(items)
            return isFound
        default: return false
        }
    }

    fileprivate func merged(with other: InputValue) -> InputValue {
        switch (self, other) {
        case (.object(var object), .object(let more)):
            for field in more.fields {
                if let position = object.fields.firstIndex(where: { $0.name == field.name }) {
                    object.fields[position].value = object.fields[position].value.merged(with: field.value)
                } else {
                    object.fields.append(field)
                }
            }
            return .object(object)
        case (.list(let items), .list(let more)):
            let common = zip(items, more).map { $0.merged(with: $1) }
            return .list(common + items.dropFirst(common.count) + more.dropFirst(common.count))
        default: return other
        }
    }
}

extension InputValue? {
    fileprivate var items: [InputValue] { if case .list(let items)? = self { items } else { [] } }
    fileprivate var text: String { if case .string(let text)? = self { text } else { "" } }
}
