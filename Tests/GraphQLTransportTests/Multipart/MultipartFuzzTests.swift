import GraphQL
import TestSupport
import Testing

@testable import GraphQLTransport

/// Random bodies, whole and broken: however they are cut, the outcome is the same, and there is one.
struct MultipartFuzzTests {
    private enum Outcome: Equatable {
        case request(operations: [UInt8], files: [[UInt8]], names: [String])
        case refusal(MultipartError)
    }

    private func outcome(_ body: [UInt8], _ limits: UploadLimits, chunks: (Int) -> Int) -> Outcome {
        do {
            let request = try readMultipart(body, limits: limits, chunks: chunks)
            var json = JSONWriter(capacity: 256)
            json.write(request.operations)
            return .request(
                operations: json.bytes, files: request.files.map(\.bytes), names: request.files.map(\.filename))
        } catch {
            return .refusal(error)
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func theChunksDoNotMatter(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var limits = UploadLimits()
        limits.fileSize = 300
        limits.nonFileSize = 2_000
        var requests = 0
        for _ in 0..<400 {
            let body = randomBody(&random)
            let whole = outcome(body, limits) { _ in .max }
            if case .request = whole { requests += 1 }
            #expect(outcome(body, limits) { _ in 1 } == whole)
            for _ in 0..<3 {
                let largest = Int.random(in: 1...40, using: &random)
                let found = outcome(body, limits) { _ in Int.random(in: 1...largest, using: &random) }
                #expect(found == whole)
            }
        }
        // What is compared must not be refusals alone.
        #expect(requests > 40)
    }

    @Test func randomBytesAreRefused() {
        var random = SeededGenerator(seed: 42)
        for _ in 0..<500 {
            let body = (0..<Int.random(in: 0...400, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            guard case .refusal(let error) = outcome(body, UploadLimits(), chunks: { _ in 7 }) else {
                Issue.record("random bytes were taken")
                continue
            }
            #expect(error.status == .badRequest)
        }
    }

    private func randomBody(_ random: inout SeededGenerator) -> [UInt8] {
        var body = MultipartBody()
        let operations = [
            #"{"query":"{ a }","variables":{"a":null,"list":[null,null]}}"#, #"{"variables":{}}"#, "{}", "{", "[null]",
        ]
        let maps = [
            #"{"0":["variables.a"]}"#, #"{"0":["variables.a","variables.list.1"],"1":["variables.list.0"]}"#, "{}",
            #"{"0":[]}"#, "[]",
        ]
        func pick(_ texts: [String]) -> String {
            // The first ones fit together: enough bodies have to be valid.
            Bool.random(using: &random) ? texts[0] : texts[Int.random(in: 0..<texts.count, using: &random)]
        }
        if Int.random(in: 0..<20, using: &random) > 0 { body.add("operations", pick(operations)) }
        if Int.random(in: 0..<20, using: &random) > 0 { body.add("map", pick(maps)) }
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let content = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                [
                    "\r\n", "--", "--\(MultipartBody.boundary)", "\r", "\r\n--\(MultipartBody.boundary.dropLast())",
                    "x", "é",
                ]
                .randomElement(using: &random) ?? ""
            }.joined()
            body.addFile(pick(["0", "1", "other"]), pick(["a.txt", "../b", "\\"]), content)
        }
        var bytes = Array((Bool.random(using: &random) ? "preamble\r\n" : "").utf8) + Array(body.ended.utf8)
        for _ in 0..<max(0, Int.random(in: -6...4, using: &random)) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            default: bytes.insert([0x0D, 0x0A, 0x2D, 0x22].randomElement(using: &random) ?? 0, at: place)
            }
        }
        if Int.random(in: 0..<10, using: &random) == 0 {
            bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
        }
        return bytes
    }
}
