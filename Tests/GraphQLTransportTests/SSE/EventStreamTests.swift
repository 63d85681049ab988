import Testing

@testable import GraphQLTransport

struct EventStreamTests {
    @Test func anOperationOfAClosedStreamIsToldSo() {
        #expect(EventStream.State().refusal(ofID: "1", maxOperations: 1) == nil)
        let closed = EventStream.State(isClosed: true).refusal(ofID: "1", maxOperations: 1)
        #expect(closed?.status == .notFound)
        #expect(closed?.body == GraphQLAnswer.streamNotFound.body)
    }

    @Test func anOperationTooManyIsToldWhenToRetry() {
        let refusal = EventStream.State().refusal(ofID: "1", maxOperations: 0)
        #expect(refusal?.status == .tooManyRequests)
        #expect(refusal?.headers.map(\.name) == ["Retry-After"])
    }
}
