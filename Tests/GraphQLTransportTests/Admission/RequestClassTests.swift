import GraphQL
import Testing

@testable import GraphQLTransport

@Suite struct RequestClassTests {
    @Test(arguments: [
        (OperationType.query, 0, RequestClass.Kind.lookup), (.query, 10, .lookup), (.query, 11, .list),
        (.query, 100, .list), (.query, 101, .heavy), (.subscription, 5, .lookup), (.mutation, 10, .mutation),
        (.mutation, 900, .mutation),
    ])
    func theKindFollowsTheCost(_ type: OperationType, _ cost: Int, _ kind: RequestClass.Kind) {
        #expect(RequestClass(type, cost: cost, isMember: false).kind == kind)
        #expect(RequestClass(type, cost: cost, isMember: true).kind == kind)
    }

    @Test func membersGoFirst() {
        func order(_ type: OperationType, _ cost: Int, _ isMember: Bool) -> Int {
            RequestClass(type, cost: cost, isMember: isMember).rawValue
        }
        for cost in [1, 50, 500] { #expect(order(.query, cost, true) < order(.query, cost, false)) }
        #expect(order(.mutation, 10, true) < order(.query, 1, false))
        #expect(order(.query, 1, false) < order(.query, 500, true))
    }

    @Test func anOperationWithoutAMeasureIsAList() {
        #expect(RequestClass(.query, cost: nil, isMember: true) == .memberList)
    }
}
