import GraphQL

extension Example {
    private static let greetings = ["Hi", "Bonjour", "Hola", "Ciao", "Zdravo"]

    static func subscription(_ subscription: inout ObjectFields<Root, RequestContext>, _ pings: Pings) {
        subscription.stream("greetings") { _ in Paced(greetings) }
        subscription.stream("slowGreetings") { _ in Paced(greetings, every: .milliseconds(10)) }
        subscription.stream("ping") { context in pings.subscribe(try context.arguments.decode("key")) }
        subscription.stream("lateReturn") { _ in AsyncStream<String> { _ in } }
        subscription.stream("throwing") { _ in
            AsyncThrowingStream<String, any Error> { throw Failure("Subscribe Kaboom!") }
        }
        subscription.stream("subscribeThrowing") { _ -> AsyncStream<String> in throw Failure("Kaboom!") }
        subscription.stream("countdown") { context in
            let start: Int = try context.arguments.decode("from")
            return Paced((0...max(start, 0)).reversed(), every: .milliseconds(20))
        }
    }
}

/// The elements of a collection, with a pause between two of them.
struct Paced<Elements: Collection & Sendable>: AsyncSequence, Sendable where Elements.Index: Sendable {
    let elements: Elements
    let pause: Duration

    init(_ elements: Elements, every pause: Duration = .zero) {
        self.elements = elements
        self.pause = pause
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: elements[...], pause: pause) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: Elements.SubSequence
        let pause: Duration
        private var isFirst = true

        init(rest: Elements.SubSequence, pause: Duration) {
            self.rest = rest
            self.pause = pause
        }

        mutating func next() async throws -> Elements.Element? {
            if !isFirst && !rest.isEmpty { try await Task.sleep(for: pause) }
            isFirst = false
            return rest.popFirst()
        }
    }
}
