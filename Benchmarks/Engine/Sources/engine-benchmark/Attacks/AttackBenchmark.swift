import Glibc
import GraphQL

/// Measures what a server spends until a document is accepted or refused: parse, validate, measure, plan.
struct AttackBenchmark {
    static let maximumMilliseconds = 20.0
    static let maximumBytes = 32 << 20

    private struct Result {
        let name: String
        let milliseconds: Double
        let bytes: Int
        let outcome: String

        var isOver: Bool {
            milliseconds > AttackBenchmark.maximumMilliseconds || bytes > AttackBenchmark.maximumBytes
        }
    }

    private let target: AttackSchema

    init() throws { target = try AttackSchema() }

    /// Prints all attacks, the slowest first.
    /// - Returns: false where one is over the bounds.
    func run() -> Bool {
        var results = AttackShape.all.flatMap(\.attacks).map(measure)
        results.sort { $0.milliseconds > $1.milliseconds }
        print("   ms CPU  KiB peak  document, and the answer to it")
        for result in results {
            let figures = pad(tenths(result.milliseconds), 9) + pad("\(result.bytes >> 10)", 10)
            print("\(figures)  \(result.name): \(result.outcome)\(result.isOver ? "  <- over" : "")")
        }
        let over = results.count(where: \.isOver)
        let peak = results.map(\.bytes).max() ?? 0
        print("\(results.count) documents of at most \(Attack.size >> 10) KiB: at most", terminator: " ")
        print("\(tenths(results.first?.milliseconds ?? 0)) ms and \(peak >> 10) KiB; \(over) over the bounds")
        return over == 0
    }

    /// The median time of five runs, and the memory of the run that needed the most.
    private func measure(_ attack: Attack) -> Result {
        var times: [Double] = []
        var bytes = 0
        var outcome = ""
        for _ in 0..<5 {
            _ = returnFreeMemory(0)
            resetPeak()
            let before = residentPeak()
            let start = processTime()
            outcome = self.outcome(of: attack)
            times.append(processTime() - start)
            bytes = max(bytes, residentPeak() - before)
        }
        return Result(name: attack.name, milliseconds: times.sorted()[2], bytes: bytes, outcome: outcome)
    }

    private func outcome(of attack: Attack) -> String {
        if attack.document.utf8.count > Attack.size { return "too large" }
        do {
            let document = try parse(
                Source(attack.document), options: ParserOptions(maxTokens: Attack.tokens))
            let errors = validate(document, against: target.schema)
            if !errors.isEmpty { return refusal(errors) }
            let name = firstOperation(of: document)
            guard let metrics = QueryMeasure(document, against: target.schema).metrics(of: name) else { return "none" }
            let excess = QueryLimits().check(metrics)
            if !excess.isEmpty { return refusal(excess) }
            let prepared = try PreparedOperation(document, operationName: name, schema: target.executable)
            _ = try prepared.plan(for: prepared.mask(for: [:]))
            return "accepted"
        } catch let error as GraphQLError {
            return refusal([error])
        } catch let error as RequestError {
            return refusal(error.errors)
        } catch {
            return "\(error)"
        }
    }

    private func firstOperation(of document: Document) -> String? {
        for case .operation(let operation) in document.definitions { return operation.name?.value }
        return nil
    }

    private func refusal(_ errors: [GraphQLError]) -> String {
        let count = errors.count == 1 ? "" : "\(errors.count) errors, "
        return count + String(errors[0].message.prefix(60))
    }
}

private func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

private func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}

/// malloc_trim(3), so that memory which an attack takes is seen; its header is not in the module.
private let returnFreeMemory = unsafeBitCast(
    dlsym(nil, "malloc_trim"), to: (@convention(c) (Int) -> CInt).self)

/// Milliseconds of CPU that this process has had.
private func processTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// proc(5), /proc/pid/clear_refs
private func resetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
}

/// Bytes; proc(5), VmHWM.
private func residentPeak() -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if text.hasPrefix("VmHWM:") { return (Int(text.filter(\.isNumber)) ?? 0) << 10 }
    }
    return 0
}
