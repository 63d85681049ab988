import Foundation
import GraphQL
import Postgres
import TestSupport
import Testing

@testable import App

/// Each document of a feature's folder `Operations/` with its recorded answers and statements: what clients see, and what it costs.
///
/// `NAME.json` has the answers, one a step and a person; `NAME.sql` the statements of each step's last person.
/// `scripts/record` writes both: read the difference before you commit it.
/// One after another: each has a world with connections of its own.
@Suite(.serialized) struct OperationTests {
    /// The folder of the features' folders.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    static let documents: [String] = {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".graphql") }.sorted()
    }()

    @Test func thereAreDocuments() { #expect(Self.documents.count > 1) }

    /// A document that was deleted or renamed may have left files behind.
    @Test func eachRecordedFileHasADocument() {
        let files = FileManager.default.enumerator(atPath: Self.folder.path)?.compactMap { $0 as? String } ?? []
        let recorded = files.filter { $0.contains("/Operations/") && !$0.hasSuffix(".graphql") }
        #expect(recorded.count > 1)
        let documents = Set(Self.documents)
        let orphans = recorded.filter { !documents.contains(($0 as NSString).deletingPathExtension + ".graphql") }
        #expect(orphans == [])
    }

    @Test(arguments: documents) func answersAsRecorded(_ path: String) async throws {
        let document = try OperationDocument(Self.folder.appendingPathComponent(path))
        var run = OperationRun(world: try await World.make())
        for step in document.steps { try await run.run(step) }
        await run.world.shutdown()
        #expect(!run.json.contains("INTERNAL_SERVER_ERROR"))
        for (text, suffix) in [(run.json, "json"), (run.sql, "sql")] {
            #expect(throws: Never.self) { try compareWithRecorded(text, in: document.recorded(suffix)) }
        }
    }
}

/// The steps of a document on one world, and what is kept of them.
struct OperationRun {
    let world: World
    private var told: [String] = []
    private(set) var sql = ""
    private var answers = OperationAnswers()
    private var normalizer = Normalizer()
    /// All that the last people of the steps took.
    private(set) var segments: [SegmentStarted] = []
    private var numbers: [String: Int] = [:]

    init(world: World) { self.world = world }

    /// The answers as a list, in the order of the steps.
    var json: String { "[\n" + told.joined(separator: ",\n") + "\n]\n" }

    mutating func run(_ step: OperationStep) async throws {
        if let script = step.script { try await world.execute(script: script) }
        if step.ranksAreRefreshed { try await world.rank() }
        for asker in step.askers {
            if step.notificationsAreWritten { try await world.writeNotifications() }
            _ = world.statements.take()
            let answer = try await answer(step, asker)
            answers.append(try parseJSON(Array(answer.utf8)))
            let title = step.name.map { "\($0), \(asker)" } ?? asker
            let operation = step.name.map { "\"\($0)\"" } ?? "null"
            let entry = "{\"operation\":\(operation),\"person\":\"\(asker)\",\"answer\":\(answer)}"
            told.append(normalizer.normalize(prettyPrinted(entry)))
            if asker == step.askers.last { note(world.statements.take(), of: title) }
        }
    }

    private func answer(_ step: OperationStep, _ asker: String) async throws -> String {
        let variables = try answers.bound(step.bindings, step.variables)
        if asker != OperationStep.bearer {
            let person = try #require(Person(rawValue: asker), "no such person: \(asker)")
            return try await world.run(step.text, variables, as: person)
        }
        let token = try answers.value("accessToken")
        guard case .string(let token) = token else { throw CocoaError(.coderValueNotFound) }
        do {
            let context = try await world.environment.authenticate(
                authorization: "Bearer \(token)", userAgent: "tests", address: nil)
            return try await world.run(step.text, variables, context)
        } catch let ended as EndedSession {
            var json = JSONWriter()
            json.write(InputObject([(name: "authentication", value: .object(ended.error.extensions))]))
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }

    /// The numbers of the segments that a step took, and the text of those that are new.
    private mutating func note(_ segments: [SegmentStarted], of title: String) {
        var taken: [Int] = []
        var new = ""
        self.segments += segments
        for segment in segments {
            let text = "\(segment.pool)\n" + segment.statements.map { brokenBeforeClauses($0) + ";\n" }.joined()
            if numbers[text] == nil {
                numbers[text] = numbers.count + 1
                new += "\n-- \(numbers.count): \(text)"
            }
            taken.append(numbers[text] ?? 0)
        }
        if taken.isEmpty { return }
        sql += (sql.isEmpty ? "" : "\n") + "-- \(title): \(taken.map(String.init).joined(separator: " "))\n" + new
    }
}
