import Glibc

/// What is fuzzed: takes any bytes, and traps where a promise is broken.
struct FuzzTarget: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    static let all: [FuzzTarget] = [
        FuzzTarget(name: "parser", run: fuzzParser),
        FuzzTarget(name: "printer", run: fuzzPrinter),
        FuzzTarget(name: "validator", run: fuzzValidator),
        FuzzTarget(name: "schema", run: fuzzSchema),
        FuzzTarget(name: "coercion", run: fuzzCoercion),
        FuzzTarget(name: "json", run: fuzzJSON),
        FuzzTarget(name: "multipart", run: fuzzMultipart),
        FuzzTarget(name: "websocket", run: fuzzWebSocket),
        FuzzTarget(name: "headers", run: fuzzHeaders),
        FuzzTarget(name: "typeid", run: fuzzTypeID),
        FuzzTarget(name: "cursor", run: fuzzCursor),
        FuzzTarget(name: "image", run: fuzzImage),
    ]

    /// The one that the environment names.
    static let chosen: FuzzTarget = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = all.first(where: { $0.name == name }) else {
            print("FUZZ_TARGET is one of \(all.map(\.name).joined(separator: ", "))")
            exit(2)
        }
        return target
    }()
}

/// libFuzzer's entry: https://llvm.org/docs/LibFuzzer.html#fuzz-target
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    FuzzTarget.chosen.run(Array(UnsafeBufferPointer(start: data, count: count)))
    return 0
}

extension [UInt8] {
    /// Before and behind the first NUL, which no text has; all and nothing where there is none.
    var halves: (first: [UInt8], second: [UInt8]) {
        guard let end = firstIndex(of: 0) else { return (self, []) }
        return (Array(self[..<end]), Array(self[(end + 1)...]))
    }
}
