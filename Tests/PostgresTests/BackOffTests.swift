import Testing

@testable import Postgres

@Suite struct BackOffTests {
    /// Random numbers that are all the same: the shortest or the longest pause.
    struct Constant: RandomNumberGenerator {
        let value: UInt64
        mutating func next() -> UInt64 { value }
    }

    @Test func pausesDoubleUpToASecond() {
        var backOff = BackOff()
        var longest = Constant(value: .max)
        let pauses = (0..<8).map { _ in backOff.failed(using: &longest) }
        #expect(pauses == [25, 50, 100, 200, 400, 800, 1000, 1000].map { .milliseconds($0) })
        var many = BackOff()
        for _ in 0..<1000 { #expect(many.failed(using: &longest) <= .seconds(1)) }
    }

    @Test func upToAHalfIsTakenOff() {
        var backOff = BackOff()
        var shortest = Constant(value: 0)
        let pauses = (0..<7).map { _ in backOff.failed(using: &shortest) }
        #expect(pauses == [12, 25, 50, 100, 200, 400, 500].map { .milliseconds($0) })
    }

    @Test func successBeginsAgain() {
        var backOff = BackOff()
        var longest = Constant(value: .max)
        for _ in 0..<5 { _ = backOff.failed(using: &longest) }
        backOff.succeeded()
        #expect(backOff.failures == 0)
        #expect(backOff.failed(using: &longest) == .milliseconds(25))
    }
}
