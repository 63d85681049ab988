import GraphQL

/// The map of a multipart request. It lists for each file the places in the variables that the file fills.
/// GraphQL multipart request specification: `map`
struct UploadMap {
    struct Entry {
        let file: String
        let places: [Place]
    }

    /// The path of a file's variable, such as `variables.files.0`, or `1.variables.file` in a batch.
    struct Place {
        let text: String
        let steps: [String]
    }

    let entries: [Entry]

    init(_ json: InputValue, limits: UploadLimits) throws(MultipartError) {
        guard case .object(let object) = json else { throw .malformed("The field \"map\" is not a JSON object.") }
        if object.fields.count > limits.fileCount {
            throw .tooLarge("A request can have \(limits.fileCount) files at most.")
        }
        var entries: [Entry] = []
        var count = 0
        for (file, value) in object.fields {
            guard case .list(let items) = value else {
                throw .malformed("The entry \"\(file)\" of the map is not a list.")
            }
            count += items.count
            if count > limits.mapPathCount {
                throw .tooLarge("The map can name \(limits.mapPathCount) places at most.")
            }
            entries.append(Entry(file: file, places: try Self.places(items, of: file)))
        }
        self.entries = entries
    }

    private static func places(_ items: [InputValue], of file: String) throws(MultipartError) -> [Place] {
        var places: [Place] = []
        for item in items {
            guard case .string(let text) = item else {
                throw .malformed("The entry \"\(file)\" of the map has an item that is not a string.")
            }
            let steps = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            places.append(Place(text: text, steps: steps))
        }
        return places
    }

    /// The operations, with each file put in the places that the map lists for it.
    /// - Parameter files: the files in the order of the entries.
    func place(_ files: [Upload], in operations: InputValue) throws(MultipartError) -> InputValue {
        var operations = operations
        for (entry, file) in zip(entries, files) {
            for place in entry.places {
                guard place.isInVariables, operations.place(file, at: place.steps[...]) else {
                    throw .malformed(
                        "The map's place \"\(place.text)\" of the file \"\(entry.file)\" is not null in the operations."
                    )
                }
            }
        }
        return operations
    }

    /// Throws unless each place lies in the variables, is a null or a missing field there, and is listed only once.
    func check(_ operations: InputValue) throws(MultipartError) {
        let none = Upload(filename: "", contentType: nil, bytes: [])
        _ = try place(entries.map { _ in none }, in: operations)
    }
}

extension UploadMap.Place {
    fileprivate var isInVariables: Bool {
        if steps.first == "variables" { return steps.count > 1 }
        return steps.count > 2 && Int(steps[0]) != nil && steps[1] == "variables"
    }
}

extension InputValue {
    /// Puts the file in the place of a null, or adds it as a field that the place's object does not have. Returns false
    /// for any other place.
    fileprivate mutating func place(_ upload: Upload, at steps: ArraySlice<String>) -> Bool {
        guard let step = steps.first else {
            guard self == .null else { return false }
            self = .upload(upload)
            return true
        }
        let value = self
        // The object or list that is changed must have a single owner, or the change would copy it.
        self = .null
        switch value {
        case .object(var object):
            let isPlaced = object.place(upload, step, steps.dropFirst())
            self = .object(object)
            return isPlaced
        case .list(var items):
            var isPlaced = false
            if let index = Int(step), items.indices.contains(index), String(index) == step {
                isPlaced = items[index].place(upload, at: steps.dropFirst())
            }
            self = .list(items)
            return isPlaced
        case .null, .int, .float, .string, .boolean, .enumeration, .upload, .secret:
            self = value
            return false
        }
    }
}

extension InputObject {
    fileprivate mutating func place(_ upload: Upload, _ name: String, _ steps: ArraySlice<String>) -> Bool {
        if let index = fields.firstIndex(where: { $0.name == name }) {
            return fields[index].value.place(upload, at: steps)
        }
        guard steps.isEmpty else { return false }
        fields.append((name, .upload(upload)))
        return true
    }
}
