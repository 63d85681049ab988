import ClientOperations
import Foundation
import Testing

@testable import TertuliaClient

/// Entries that the app sends again.
@Suite(.timeLimit(.minutes(20))) struct OutboxRetryTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let clock = TestClock()

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(folder: folder.url, server: folder.url, account: "viewer_1", schema: .generated)
    }

    private func outbox(_ send: @escaping @Sendable (OutboxRequest) async throws -> Response) -> Outbox {
        Outbox(store: store, operations: [], now: { [clock] in clock.now }, send: send)
    }

    private func like(_ outbox: Outbox) async throws -> String {
        try await outbox.perform(LikeThoughtMutation(input: LikeThoughtInput(thoughtId: "t1")), objects: ["t1"])
    }

    private static func response(_ text: String) throws -> Response { try Response(try JSONValue(json: text.utf8)) }

    private static let done = #"{"data":{"likeThought":{"thought":null,"userErrors":[]}}}"#
    private static let refusal =
        #"{"data":{"likeThought":{"thought":null,"userErrors":[{"code":"NOT_ALLOWED","message":"No."}]}}}"#
    private static let fault =
        #"{"data":null,"errors":[{"message":"Oh.","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#

    /// The server may have done it at the first attempt, and forgets it 30 days after that.
    @Test func anEntryThatWaitsKeepsItsAge() async throws {
        let attempts = Counter()
        let isMended = Flag()
        let outbox = outbox { _ in
            _ = await attempts.next()
            if await isMended.isSet { return try Self.response(Self.done) }
            throw TransportError("The network is down.")
        }
        let id = try await like(outbox)
        while await attempts.count < 1 { try await Task.sleep(for: .milliseconds(2)) }
        clock.advance(by: Outbox.claimLifetime * 2 / 3)
        try await outbox.retry(id)
        while await attempts.count < 2 { try await Task.sleep(for: .milliseconds(2)) }
        clock.advance(by: Outbox.claimLifetime * 2 / 3)
        await isMended.set()
        await outbox.wake()
        #expect(try await outbox.result(of: id) == .uncertain)
        await outbox.close()
    }

    @Test func anEntryThatMetFaultsKeepsItsAge() async throws {
        let attempts = Counter()
        let isMended = Flag()
        let outbox = outbox { [store] request in
            if await attempts.next() == 1 {
                let id = request.variables["input"]?.object?["clientMutationId"]?.text ?? ""
                try await store.write { for _ in 0..<7 { try OutboxTable.addFault(to: id, in: $0.database) } }
                throw TransportError("The network is down.")
            }
            return try Self.response(await isMended.isSet ? Self.done : Self.fault)
        }
        let id = try await like(outbox)
        guard case .refused = try await outbox.result(of: id) else {
            Issue.record("It was not refused.")
            return
        }
        clock.advance(by: Outbox.claimLifetime + 1)
        await isMended.set()
        try await outbox.retry(id)
        #expect(try await outbox.result(of: id) == .uncertain)
        // Now the app knows, and has decided.
        try await outbox.retry(id)
        #expect(try await outbox.result(of: id) == .done)
        await outbox.close()
    }

    /// The server has said that it did not do it.
    @Test func aRefusedEntryBeginsAnew() async throws {
        let isMended = Flag()
        let outbox = outbox { _ in try Self.response(await isMended.isSet ? Self.done : Self.refusal) }
        let id = try await like(outbox)
        guard case .refused = try await outbox.result(of: id) else {
            Issue.record("It was not refused.")
            return
        }
        clock.advance(by: Outbox.claimLifetime + 1)
        await isMended.set()
        try await outbox.retry(id)
        #expect(try await outbox.result(of: id) == .done)
        await outbox.close()
    }

    /// The entry waits for another one, and has not been compared with the server's state yet.
    @Test func anEntryThatWaitsIsStillCompared() async throws {
        let gate = Gate()
        let outbox = outbox { _ in
            await gate.wait()
            return try Self.response(Self.done)
        }
        let change = { (value: Bool) in
            try await store.write { transaction in
                try transaction.merge(
                    ["t1": JSONObject([("viewerHasSaved", .boolean(value))])], addresses: [])
            }
        }
        try await change(false)
        _ = try await like(outbox)
        let id = try await outbox.perform(
            LikeThoughtMutation(input: LikeThoughtInput(thoughtId: "t1")), objects: ["t1"],
            patches: [RecordPatch("t1", [("viewerHasSaved", .set(to: true))])], conflicts: .serverWins)
        try await outbox.retry(id)
        try await change(true)
        await gate.open()
        #expect(try await outbox.result(of: id) == .overruled)
        await outbox.close()
    }
}
