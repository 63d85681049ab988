import ArgumentParser
import Dispatch

@main
struct EngineBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine-benchmark", abstract: "What the GraphQL engine costs, without HTTP and PostgreSQL.",
        subcommands: [Measure.self, Repeat.self, Attacks.self], defaultSubcommand: Measure.self)
}

struct Measure: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print microseconds for each kind of work: the best of many rounds.")

    @Option(help: "The SDL for the documents; those of Documents/ have their own.", completion: .file())
    var schema: String?
    @ArgumentParser.Argument(
        help: "Documents to parse, print and, with a schema, validate and measure; by default those of Documents/.")
    var documents: [String] = []

    func run() throws {
        var workloads: [Workload] = []
        if documents.isEmpty {
            workloads = try Workload.all()
        } else {
            let target = try schema.map(Workload.schema)
            for path in documents { workloads += try Workload.language(path: path, schema: target) }
        }
        let chosen = workloads
        try finish { for workload in chosen { print("\(workload.name): \(try await workload.microseconds()) µs") } }
    }
}

struct Repeat: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Do one kind of work a number of times, for a profiler or a count of instructions.")

    @ArgumentParser.Argument(help: "The name that measure prints; without one, the names are listed.") var name: String?
    @Option(help: "How often.") var times = 1

    func run() throws {
        let workloads = try Workload.all()
        guard let name else { return workloads.forEach { print($0.name) } }
        guard let workload = workloads.first(where: { $0.name == name })
        else { throw ValidationError("There is no work named \(name).") }
        try finish { [times] in for _ in 0..<times { try await workload.work() } }
    }
}

struct Attacks: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what documents made to cost much cost; fail where one is over the bounds.")

    func run() throws {
        if try !AttackBenchmark().run() { throw ExitCode.failure }
    }
}

/// Waits for `work` on the main thread. Valgrind 3.19 does not survive what libdispatch does where the main thread of an
/// asynchronous command ends.
private func finish(_ work: @escaping @Sendable () async throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    let outcome = Outcome()
    Task {
        do { try await work() } catch { outcome.error = error }
        done.signal()
    }
    done.wait()
    if let error = outcome.error { throw error }
}

/// The error is written before the semaphore is signalled, and read after.
private final class Outcome: @unchecked Sendable {
    var error: (any Error)?
}
