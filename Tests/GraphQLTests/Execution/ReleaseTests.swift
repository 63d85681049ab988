import GraphQL
import Synchronization
import TestSupport
import Testing

/// Once a response is complete, refused by the client or cancelled, nothing of its execution stays in memory.
@Suite(.timeLimit(.minutes(10))) struct ReleaseTests {
    private static let sdl = """
        type Query { box: Box  boxes: [Box!]!  slowBoxes: [Box!]! }
        type Subscription { added: Box }
        type Box { id: Int!  slow: Int  fails: Int  strictFails: Int!  inner: Box  boxes: [Box!]! }
        """

    /// A marker to which one object or context refers.
    private final class Marker: Sendable {}

    /// Counts the markers that were made, and those that are in memory.
    private final class Markers: Sendable {
        private struct Reference { weak let marker: Marker? }

        private let references = Mutex<[Reference]>([])

        var count: Int { references.withLock { $0.count } }
        var held: Int { references.withLock { $0.count { $0.marker != nil } } }

        func make() -> Marker {
            let marker = Marker()
            let reference = Reference(marker: marker)
            references.withLock { $0.append(reference) }
            return marker
        }
    }

    private struct Context: ExecutionContext {
        let markers: Markers
        /// Every execution refers to its context, and the context to this marker.
        let own: Marker

        init(_ markers: Markers) {
            self.markers = markers
            own = markers.make()
        }

        func box() -> Box { Box(marker: markers.make()) }

        func executionError(for error: any Error) -> ExecutionError {
            ExecutionError("Something went wrong.", code: .internalServerError)
        }
    }

    private struct Box: ObjectValue {
        let marker: Marker
    }

    /// The way in which a request ends.
    enum End: CaseIterable {
        case complete, refusedAtOnce, refusedLater, cancelled
    }

    private static func schema() throws -> ExecutableSchema<Context> {
        try ExecutableSchema(
            schema: buildSchema(parse(Source(sdl))),
            bindings: [
                ObjectBinding<Root, Context>("Query") { query in
                    query.field("box") { _, context -> Box? in context.context.box() }
                    query.field("boxes") { _, context in (1...3).map { _ in context.context.box() } }
                    query.load("slowBoxes") { _, context in
                        let boxes = (1...3).map { _ in context.context.box() }
                        return Pending {
                            await Task.yield()
                            return [boxes]
                        }
                    }
                },
                ObjectBinding<Root, Context>("Subscription") { subscription in
                    subscription.stream("added") { context in
                        let context = context.context
                        return AsyncStream<Box?>(unfolding: { context.box() })
                    }
                },
                ObjectBinding<Box, Context>("Box") { box in
                    box.field("id") { _ in 1 }
                    box.batch("slow") { boxes, _ in
                        await Task.yield()
                        return boxes.map { _ -> Int? in 1 }
                    }
                    box.field("fails") { (_: Box) throws -> Int? in throw TestFailure() }
                    box.field("strictFails") { (_: Box) throws -> Int in throw TestFailure() }
                    box.field("inner") { box -> Box? in box }
                    box.field("boxes") { box in [box, box] }
                },
            ])
    }

    private static func plan(_ text: String, _ format: IncrementalFormat?) throws -> Plan<Context> {
        let prepared = try PreparedOperation(parse(Source(text)), operationName: nil, schema: schema())
        return try prepared.plan(for: prepared.mask(for: [:]), format: format)
    }

    private static func execute(_ plan: Plan<Context>, _ context: Context, _ end: End) async throws -> Int {
        var count = 0
        try await executeIncrementally(plan, variables: [:], context: context) { _, _ in
            count += 1
            switch end {
            case .complete: return true
            case .refusedAtOnce: return false
            case .refusedLater: return count < 2
            case .cancelled:
                withUnsafeCurrentTask { $0?.cancel() }
                return true
            }
        }
        return count
    }

    @Test(
        arguments: [
            "{ box { id inner { slow } } boxes { slow fails boxes { slow } } slowBoxes { id strictFails } }",
            "{ boxes { id ... @defer { slow } } }",
            "{ boxes { ... @defer { id inner { ... @defer { slow boxes { ... @defer { id } } } } } } }",
            "{ boxes { ... @defer { id slow } ... @defer(label: \"other\") { slow fails } } }",
            "{ boxes { ... @defer { strictFails } ... @defer(label: \"other\") { id inner { ... @defer { id } } } } }",
            "{ box { id } ... @defer { slowBoxes { ... @defer { slow } } } }",
            "{ boxes @stream(initialCount: 1) { slow } slowBoxes @stream { id strictFails } }",
            "{ slowBoxes @stream(initialCount: 1) { boxes @stream { ... @defer { slow } } } }",
        ], End.allCases)
    func nothingOfAnOperationStays(_ text: String, _ end: End) async throws {
        for format in [nil, IncrementalFormat.current, .deferSpec] {
            let (markers, plan) = (Markers(), try Self.plan(text, format))
            let parts = await Task { try? await Self.execute(plan, Context(markers), end) }.value
            #expect(markers.count > 1)
            if format != nil, end == .complete, text.contains("@") { #expect(parts ?? 0 > 1) }
            try await eventually("\(markers.held) of \(markers.count) are released") {
                markers.held == 0
            }
        }
    }

    @Test func nothingOfAnEventStays() async throws {
        let markers = Markers()
        let plan = try Self.plan("subscription { added { id slow boxes { slow fails } } }", nil)
        guard case .stream(let stream) = try await subscribe(plan, variables: [:], context: Context(markers)) else {
            Issue.record("The subscription was refused.")
            return
        }
        var responses = stream.makeAsyncIterator()
        for number in 1...4 {
            #expect(try await responses.next() != nil)
            #expect(markers.count == number + 1)
            // The subscription goes on, with its context.
            try await eventually("event \(number) is released") { markers.held == 1 }
        }
    }
}
