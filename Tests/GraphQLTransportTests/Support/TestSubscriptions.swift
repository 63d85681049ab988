import GraphQL

extension TestSchema {
    static func bindSubscription(_ subscription: inout ObjectFields<Root, TestContext>) {
        subscription.stream("ticks") { _ in AsyncStream<Int>(of: [1, 2, 3]) }
        subscription.stream("greetings") { _ in AsyncStream<String>(of: ["Hi", "Bonjour", "Hola", "Ciao", "Zdravo"]) }
        subscription.stream("countdown") { context in
            let count = Countdown(left: context.arguments["from"].integer ?? 0)
            return AsyncStream<Int>(unfolding: { Task.isCancelled ? nil : await count.next() })
        }
        subscription.stream("pages", plan: { _ in () }) { _, context in
            let rests = context.arguments["rests"] == .boolean(true)
            return Pages(
                count: context.arguments["count"].integer ?? 0, bytes: context.arguments["bytes"].integer ?? 0,
                rests: rests)
        }
        subscription.stream("silence") { _ in AsyncStream<Int> { _ in } }
        subscription.stream("flood") { context in
            let text = String(repeating: "x", count: context.arguments["bytes"].integer ?? 0)
            return AsyncStream<String>(unfolding: { Task.isCancelled ? nil : text })
        }
        subscription.stream("breaks") { _ in
            AsyncThrowingStream<Int, any Error> { continuation in
                continuation.yield(1)
                continuation.finish(throwing: Broken())
            }
        }
        subscription.stream("refused") { _ -> AsyncStream<Int> in
            throw ExecutionError("Not you.", code: ErrorCode(rawValue: "FORBIDDEN"))
        }
        subscription.stream("board", plan: { _ in () }) { _, context in
            Board.named(context.arguments["name"].text ?? "").read()
        }
        subscription.stream("farewell") { context in
            Farewell(staysOn: context.arguments["staysOn"] == .boolean(true))
        }
        subscription.stream("viewerName") { context in AsyncStream<String?>(of: [context.viewer]) }
    }
}

private actor Countdown {
    private var left: Int

    init(left: Int) { self.left = left }

    func next() -> Int? {
        guard left > 0 else { return nil }
        defer { left -= 1 }
        return left
    }
}

extension AsyncStream where Element: Sendable {
    init(of elements: [Element]) {
        self.init { continuation in
            for element in elements { continuation.yield(element) }
            continuation.finish()
        }
    }
}
