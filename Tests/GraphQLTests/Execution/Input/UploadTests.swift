import Testing

@testable import GraphQL

/// Source: GraphQL multipart request specification
@Suite struct UploadTests {
    private let upload = Upload(filename: "a.txt", contentType: "text/plain", bytes: [1, 2])

    private func coerced(_ type: String, _ value: InputValue) throws -> InputValue? {
        let sdl = "scalar Upload scalar Any enum Color { RED } type Query { a: Int } input Files { file: Upload }"
        let schema = try buildSchema(parse(Source(sdl)), scalars: ["Upload": .upload])
        let document = try parse(Source("query($v: \(type)) { a }"))
        guard case .operation(let operation) = document.definitions[0] else { return nil }
        return try coerceVariableValues(
            schema, operation.variableDefinitions, InputObject([(name: "v", value: value)]), source: document.source)[
                "v"]
    }

    @Test func theScalarTakesAFile() throws {
        #expect(try coerced("Upload", .upload(upload)) == .upload(upload))
        #expect(try coerced("[Upload!]", .list([.upload(upload)])) == .list([.upload(upload)]))
        let files = InputObject([(name: "file", value: .upload(upload))])
        #expect(try coerced("Files", .object(files)) == .object(files))
        #expect(try coerced("Upload", .null) == .null)
    }

    @Test(arguments: [InputValue.string("a.txt"), .int(1), .boolean(true), .object(InputObject()), .enumeration("RED")])
    func nothingElseIsAFile(_ value: InputValue) {
        #expect(throws: RequestError.self) { try coerced("Upload", value) }
    }

    @Test(arguments: ["String", "Int", "Float", "Boolean", "ID", "Color", "Files"])
    func aFileIsNothingElse(_ type: String) {
        #expect(throws: RequestError.self) { try coerced(type, .upload(upload)) }
    }

    @Test func aResolverDecodesIt() throws {
        let arguments = InputObject([(name: "file", value: .upload(upload)), (name: "none", value: .null)])
        #expect(try arguments.decode(Upload.self, "file") == upload)
        #expect(try arguments.decode(Upload?.self, "none") == nil)
        #expect(try arguments.decode(Upload?.self, "absent") == nil)
        #expect(throws: InputDecodingError.self) {
            try InputObject([(name: "file", value: .int(1))]).decode(Upload.self, "file")
        }
    }

    @Test func twoFilesAreNeverOne() {
        #expect(upload != Upload(filename: "a.txt", contentType: "text/plain", bytes: [1, 2]))
    }

    @Test func noTextShowsWhatIsInIt() {
        var json = JSONWriter(capacity: 16)
        json.write(.list([.upload(upload)]))
        #expect(String(decoding: json.bytes, as: UTF8.self) == "[null]")
        #expect(InputValue.upload(upload).inspection == "[Upload]")
    }
}
