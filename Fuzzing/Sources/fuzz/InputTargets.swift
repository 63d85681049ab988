@testable import GraphQL

/// Any bytes are JSON or not; what is JSON comes out as it went in.
func fuzzJSON(_ bytes: [UInt8]) {
    guard let value = try? parseJSON(bytes) else { return }
    precondition(String(validating: bytes, as: UTF8.self) != nil, "JSON is UTF-8.")
    var writer = JSONWriter(capacity: bytes.count)
    writer.write(value)
    do {
        let again = try parseJSON(writer.bytes)
        precondition(isSame(again, value), "\(again)")
    } catch {
        preconditionFailure("\(error) in what was written: \(String(decoding: writer.bytes, as: UTF8.self))")
    }
}

/// A number's notation is free: 1.0 may come back as 1.
private func isSame(_ left: InputValue, _ right: InputValue) -> Bool {
    switch (left, right) {
    case (.int(let integer), .float(let number)), (.float(let number), .int(let integer)): Double(integer) == number
    case (.list(let left), .list(let right)): left.count == right.count && zip(left, right).allSatisfy(isSame)
    case (.object(let left), .object(let right)):
        left.fields.count == right.fields.count
            && zip(left.fields, right.fields).allSatisfy { $0.name == $1.name && isSame($0.value, $1.value) }
    default: left == right
    }
}

/// A document with variables, a NUL, and their values as JSON.
func fuzzCoercion(_ bytes: [UInt8]) {
    let (first, second) = bytes.halves
    let source = Source(first)
    guard let document = try? parse(source, options: ParserOptions(maxTokens: 2_000)),
        case .object(let inputs)? = try? parseJSON(second),
        validate(document, against: fixedSchema).isEmpty
    else { return }
    for case .operation(let operation) in document.definitions {
        do {
            let values = try coerceVariableValues(
                fixedSchema, operation.variableDefinitions, inputs, source: source)
            for definition in operation.variableDefinitions where definition.type.isNonNull {
                precondition(values[definition.name.value].map { $0 != .null } ?? false)
            }
        } catch {
            precondition((1...50).contains(error.errors.count))
        }
    }
}

extension TypeNode {
    fileprivate var isNonNull: Bool { printed.hasSuffix("!") }
}
