import GraphQL
import Testing

@testable import GraphQLTransport

struct MultipartRequestTests {
    private let operations =
        #"{"query":"mutation($file: Upload) { upload(file: $file) { text } }","variables":{"file":null}}"#

    private func refusal(_ body: String, limits: UploadLimits = UploadLimits()) -> MultipartError? {
        do {
            _ = try readMultipart(body, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    private func malformed(_ operations: String, map: String) -> String? {
        let refusal = refusal(MultipartBody.request(operations, map: map) { $0.addFile("0", "a.txt", "alpha") })
        return refusal?.status == .badRequest ? refusal?.message : nil
    }

    @Test func putsFilesIntoVariables() throws {
        let request = try readMultipart(
            MultipartBody.request(
                #"{"variables":{"file":null,"files":[null,null],"input":{"cover":null}}}"#,
                map:
                    #"{"0":["variables.file","variables.input.cover"],"#
                    + #""1":["variables.files.1"],"2":["variables.files.0"]}"#
            ) {
                $0.addFile("0", "a.txt", "alpha")
                $0.addFile("1", "../b.png", "beta", type: "image/png")
                $0.addFile("2", "", "")
            })
        let variables = try #require(request.operations["variables"])
        #expect(request.files.map { String(decoding: $0.bytes, as: UTF8.self) } == ["alpha", "beta", ""])
        #expect(request.files.map(\.filename) == ["a.txt", "b.png", ""])
        #expect(request.files.map(\.contentType) == ["text/plain", "image/png", "text/plain"])
        #expect(variables["file"] == .upload(request.files[0]))
        #expect(variables["input"]?["cover"] == .upload(request.files[0]))
        #expect(variables["files"] == .list([.upload(request.files[2]), .upload(request.files[1])]))
    }

    @Test func filesMayComeInAnyOrder() throws {
        let request = try readMultipart(
            MultipartBody.request(
                #"{"variables":{"a":null,"b":null}}"#, map: #"{"0":["variables.a"],"1":["variables.b"]}"#
            ) {
                $0.addFile("1", "b", "beta")
                $0.addFile("0", "a", "alpha")
            })
        #expect(request.operations["variables"]?["a"] == .upload(request.files[0]))
        #expect(request.files.map(\.filename) == ["a", "b"])
    }

    @Test func aVariableThatIsAbsentIsPut() throws {
        let request = try readMultipart(
            MultipartBody.request(#"{"variables":{}}"#, map: #"{"0":["variables.file"]}"#) {
                $0.addFile("0", "a", "alpha")
            })
        #expect(request.operations["variables"]?["file"] == .upload(request.files[0]))
    }

    @Test func whatNothingRefersToIsDrained() throws {
        let request = try readMultipart(
            MultipartBody.request(operations, map: #"{"0":["variables.file"]}"#) {
                $0.addFile("other", "b.txt", "beta")
                $0.add("field", "value")
                $0.addFile("0", "a.txt", "alpha")
            })
        #expect(request.files.map(\.filename) == ["a.txt"])
    }

    @Test func aBatchHasItsFiles() throws {
        let request = try readMultipart(
            MultipartBody.request(
                #"[{"variables":{"file":null}},{"variables":{"file":null}}]"#,
                map: #"{"0":["1.variables.file"]}"#
            ) { $0.addFile("0", "a", "alpha") })
        guard case .list(let batch) = request.operations else { return #expect(Bool(false)) }
        #expect(batch[0]["variables"]?["file"] == .null)
        #expect(batch[1]["variables"]?["file"] == .upload(request.files[0]))
    }

    @Test(arguments: [
        (#"{"0":["variables.none.file"]}"#, "variables.none.file"), (#"{"0":["query"]}"#, "query"),
        (#"{"0":["variables"]}"#, "variables"), (#"{"0":["variables.list.2"]}"#, "variables.list.2"),
        (#"{"0":["variables.list.-1"]}"#, "variables.list.-1"), (#"{"0":["variables.list.00"]}"#, "variables.list.00"),
        (#"{"0":["variables.text"]}"#, "variables.text"), (#"{"0":["variables.file",""]}"#, ""),
        (#"{"0":["variables.file","variables.file"]}"#, "variables.file"),
        (#"{"0":["variables.file.x"]}"#, "variables.file.x"),
        (#"{"0":["extensions.file"]}"#, "extensions.file"), (#"{"0":["0.variables.file"]}"#, "0.variables.file"),
    ])
    func aPlaceMustBeANullOfTheVariables(_ map: String, _ place: String) {
        let operations =
            #"{"query":null,"variables":{"file":null,"list":[null,null],"text":"x"},"extensions":{"file":null}}"#
        #expect(
            malformed(operations, map: map)
                == "The map's place \"\(place)\" of the file \"0\" is not null in the operations.")
    }

    @Test func twoFilesCannotHaveOnePlace() {
        let message = malformed(operations, map: #"{"0":["variables.file"],"1":["variables.file"]}"#)
        #expect(message == "The map's place \"variables.file\" of the file \"1\" is not null in the operations.")
    }

    @Test(arguments: [
        ("{", #"{}"#, "The field \"operations\" is not JSON"), ("1", "{}", "neither a JSON object nor a list"),
        ("{}", "[]", "The field \"map\" is not a JSON object."), ("{}", "{", "The field \"map\" is not JSON"),
        ("{}", #"{"0":"variables.file"}"#, "The entry \"0\" of the map is not a list."),
        ("{}", #"{"0":[1]}"#, "an item that is not a string"),
        (#"{"variables":{"file":null}}"#, #"{"1":["variables.file"]}"#, "The file \"1\" is missing."),
    ])
    func tellsWhatIsWrong(_ operations: String, _ map: String, _ message: String) {
        #expect(malformed(operations, map: map)?.contains(message) == true)
    }

    @Test func theOrderIsOperationsMapFiles() {
        var body = MultipartBody()
        body.add("map", "{}")
        #expect(refusal(body.ended)?.message == "The field \"map\" comes before \"operations\".")
        body = MultipartBody()
        body.add("operations", "{}")
        body.addFile("0", "a", "alpha")
        #expect(refusal(body.ended)?.message == "The file \"0\" comes before \"map\".")
    }

    @Test func nothingComesTwice() {
        var body = MultipartBody()
        body.add("operations", operations)
        body.add("operations", operations)
        #expect(refusal(body.ended)?.message == "The field \"operations\" comes twice.")
        #expect(
            refusal(MultipartBody.request(operations, map: "{}") { $0.add("map", "{}") })?.message
                == "The field \"map\" comes twice.")
        let twice = MultipartBody.request(operations, map: #"{"0":["variables.file"]}"#) {
            $0.addFile("0", "a", "alpha")
            $0.addFile("0", "b", "beta")
        }
        #expect(refusal(twice)?.message == "The file \"0\" comes twice.")
    }

    @Test func aPartHasAName() {
        var body = MultipartBody()
        body.addRaw("Content-Type: text/plain\r\n\r\nx")
        #expect(refusal(body.ended)?.message == "A part has no name.")
    }

    @Test func fieldsAreMissed() {
        #expect(refusal(MultipartBody().ended)?.message == "The field \"operations\" is missing.")
        var body = MultipartBody()
        body.add("operations", "{}")
        #expect(refusal(body.ended)?.message == "The field \"map\" is missing.")
    }

    @Test func aFileHasALimit() throws {
        var limits = UploadLimits()
        limits.fileSize = 100
        for (size, fits) in [(100, true), (101, false)] {
            for name in ["0", "other"] {
                let body = MultipartBody.request(
                    #"{"variables":{}}"#, map: name == "0" ? #"{"0":["variables.a"]}"# : "{}"
                ) {
                    $0.addFile(name, "a", String(repeating: "x", count: size))
                }
                #expect(refusal(body, limits: limits)?.status == (fits ? nil : .payloadTooLarge))
            }
        }
    }

    @Test func theRestHasALimit() {
        var limits = UploadLimits()
        limits.nonFileSize = 1_000
        let long = String(repeating: " ", count: 1_001)
        #expect(refusal(MultipartBody.request("{}" + long, map: "{}"), limits: limits)?.status == .payloadTooLarge)
        #expect(
            refusal(MultipartBody.request("{}", map: "{}") { $0.add("x", long) }, limits: limits)?.status
                == .payloadTooLarge)
        #expect(
            refusal(long + "\r\n" + MultipartBody.request("{}", map: "{}"), limits: limits)?.status == .payloadTooLarge)
        // A file counts for itself.
        let file = MultipartBody.request(operations, map: #"{"0":["variables.file"]}"#) { $0.addFile("0", "a", long) }
        #expect(refusal(file, limits: limits) == nil)
    }

    @Test func theRestHasOneLimit() {
        let file = String(repeating: "x", count: 2_000)
        let request = MultipartBody.request(operations, map: #"{"0":["variables.file"]}"#) {
            $0.add("field", "value")
            $0.addFile("0", "a", file)
        }
        for body in [request, "preamble\r\n" + request, request + "epilogue"] {
            var limits = UploadLimits()
            limits.nonFileSize = body.utf8.count - file.utf8.count
            #expect(refusal(body, limits: limits) == nil)
            limits.nonFileSize -= 1
            #expect(refusal(body, limits: limits)?.status == .payloadTooLarge)
        }
    }

    @Test func theNumberOfFilesHasALimit() {
        var limits = UploadLimits()
        limits.fileCount = 2
        let map = #"{"0":["variables.a"],"1":["variables.b"],"2":["variables.c"]}"#
        #expect(
            refusal(MultipartBody.request(#"{"variables":{}}"#, map: map), limits: limits)?.status == .payloadTooLarge)
        let others = MultipartBody.request("{}", map: "{}") { body in
            for name in ["a", "b", "c"] { body.addFile(name, name, name) }
        }
        #expect(refusal(others, limits: limits)?.status == .payloadTooLarge)
    }

    @Test func theNumberOfPlacesHasALimit() {
        let places = (0..<101).map { "\"variables.f\($0)\"" }.joined(separator: ",")
        let body = MultipartBody.request(#"{"variables":{}}"#, map: "{\"0\":[\(places)]}") { $0.addFile("0", "a", "") }
        #expect(refusal(body)?.message == "The map can name 100 places at most.")
    }
}
