import Limits
import Testing

@testable import Auth

@Suite struct FairQueueTests {
    private static let second: Int64 = 1_000_000
    private var line = FairQueue<String>(maximumWait: 2 * Self.second)

    private func client(_ address: String, _ login: String = "ana", isVouchedFor: Bool = false) -> HashingClient {
        HashingClient(network: ClientNetwork(address), login: login, isVouchedFor: isVouchedFor)
    }

    private mutating func served(_ count: Int, now: Int64 = 0) -> [String] {
        (0..<count).compactMap { _ in line.next(now: now) }
    }

    @Test mutating func clientsThatHadNothingYetAreServedInTheirOrder() {
        for number in 1...3 {
            let client = client("192.0.2.\(number)", "\(number)")
            #expect(line.add("\(number)", for: client, limit: 9, now: 0) == nil)
        }
        #expect(served(4) == ["1", "2", "3"])
    }

    /// One network with many jobs has every other turn, not all of them.
    @Test mutating func networksTakeTurns() {
        for number in 1...4 { _ = line.add("flood \(number)", for: client("192.0.2.1", "\(number)"), limit: 9, now: 0) }
        _ = line.add("a", for: client("192.0.2.2", "a"), limit: 9, now: 1)
        _ = line.add("b", for: client("192.0.2.3", "b"), limit: 9, now: 2)
        #expect(served(6, now: 3) == ["flood 1", "a", "b", "flood 2", "flood 3", "flood 4"])
    }

    /// The 65,536 networks of a customer do not come before everybody else's one.
    @Test mutating func theNetworksOfASiteCountTogether() {
        for number in 1...100 {
            let address = "2001:db8:0:\(String(number, radix: 16))::1"
            _ = line.add("\(number)", for: client(address, "\(number)"), limit: 9, now: 0)
            _ = line.next(now: 0)
        }
        _ = line.add("flood", for: client("2001:db8:0:ffff::1", "flood"), limit: 9, now: 0)
        _ = line.add("a", for: client("2001:db8:1::1", "a"), limit: 9, now: 1)
        #expect(served(2, now: 1) == ["a", "flood"])
    }

    /// Of networks that had nothing yet, those come last that guess the password of a login that others guess, too.
    @Test mutating func loginsTakeTurns() {
        for number in 1...5 {
            _ = line.add("\(number)", for: client("192.0.2.\(number)", "ben"), limit: 9, now: 0)
            _ = line.next(now: 0)
        }
        _ = line.add("guess", for: client("192.0.2.8", "ben"), limit: 9, now: 0)
        _ = line.add("a", for: client("192.0.2.9", "ana"), limit: 9, now: 1)
        #expect(served(2, now: 1) == ["a", "guess"])
    }

    /// A task that is cancelled while the queue is swept is found by the next sweep, and none is lost.
    @Test mutating func whatIsRemovedIsReturned() {
        _ = line.add("a", for: client("192.0.2.1"), limit: 9, now: 0)
        _ = line.add("b", for: client("192.0.2.2"), limit: 9, now: 0)
        var asked = 0
        let gone = line.remove { _ in
            asked += 1
            return asked > 2
        }
        #expect(gone.count + line.count == 2)
        #expect(asked == 2)
    }

    @Test mutating func whoeverIsVouchedForComesFirst() {
        _ = line.add("1", for: client("192.0.2.1"), limit: 2, now: 0)
        _ = line.add("2", for: client("192.0.2.2"), limit: 2, now: 0)
        #expect(line.add("own", for: client("192.0.2.1", isVouchedFor: true), limit: 2, now: 1) == "2")
        #expect(served(2, now: 1) == ["own", "1"])
    }

    /// Of 40 networks that ask without pause, each is served once before a new one, and none twice.
    @Test mutating func aFullLineMakesRoomForWhoWasServedLess() {
        for number in 1...40 {
            _ = line.add("", for: client("192.0.2.\(number)", "\(number)"), limit: 99, now: 0)
            _ = line.next(now: 0)
        }
        for number in 1...16 {
            #expect(line.add("attack", for: client("192.0.2.\(number)", "x\(number)"), limit: 16, now: 1) == nil)
        }
        #expect(line.add("owner", for: client("198.51.100.1"), limit: 16, now: 2) == "attack")
        #expect(line.next(now: 2) == "owner")
    }

    /// Clients of which none was ever served before look alike; of these the one that was sent away and comes back is
    /// before those that came after it.
    @Test mutating func whoComesBackKeepsItsPlace() {
        for number in 1...16 { _ = line.add("new", for: client("192.0.2.\(number)", "\(number)"), limit: 16, now: 0) }
        #expect(line.add("owner", for: client("198.51.100.1"), limit: 16, now: 1) == "owner")
        #expect(served(16, now: 1).count == 16)
        for number in 101...116 {
            _ = line.add("newer", for: client("192.0.2.\(number)", "\(number)"), limit: 16, now: Self.second)
        }
        #expect(line.add("owner", for: client("198.51.100.1"), limit: 16, now: 2 * Self.second) == "newer")
        #expect(line.next(now: 2 * Self.second) == "owner")
    }

    @Test mutating func nobodyWaitsForLongerThanIsSaid() {
        _ = line.add("1", for: client("192.0.2.1"), limit: 9, now: 0)
        _ = line.add("2", for: client("192.0.2.2"), limit: 9, now: 1)
        #expect(line.expire(now: 2 * Self.second) == [])
        #expect(line.expire(now: 2 * Self.second + 1) == ["1"])
        #expect(line.count == 1)
    }

    @Test mutating func whatNobodyWaitsForIsRemoved() {
        for number in 1...3 { _ = line.add("\(number)", for: client("192.0.2.\(number)"), limit: 9, now: 0) }
        #expect(line.remove { $0 == "2" } == ["2"])
        #expect(served(3) == ["1", "3"])
    }
}
