import Limits

/// Who waits for a thread of a `HashingPool`, and who is next. Fair by network, then by login: the client that was served
/// least lately comes first, then the one that has been asking for longest. A full line makes room for a new client by
/// sending away the last. Times are in microseconds.
struct HashingLine<Job> {
    /// The lesser one comes first.
    private struct Rank: Comparable {
        let lane: Int
        let network: Int64
        let login: Int64
        let since: Int64
        let number: Int

        static func < (left: Rank, right: Rank) -> Bool {
            (left.lane, left.network, left.login, left.since, left.number)
                < (right.lane, right.network, right.login, right.since, right.number)
        }
    }

    private struct Waiting {
        let job: Job
        let client: HashingClient
        let rank: Rank
        let addedAt: Int64
    }

    /// What a hash adds to the level of its network and of its login: it is forgotten after ten seconds, at which pace an
    /// address may go on trying to sign in.
    private static var cost: Int64 { 10_000_000 }

    private let maximumWait: Int64
    private var waiting: [Waiting] = []
    private var networks = DrainingLevels(cellsPerRow: 1 << 12)
    private var logins = DrainingLevels(cellsPerRow: 1 << 12)
    private var turnedAway = TurnedAway()
    private var number = 0

    init(maximumWait: Int64) { self.maximumWait = maximumWait }

    var count: Int { waiting.count }

    /// - Parameter limit: how many may wait.
    /// - Returns: the job for which there is no room: this one, or the last in line.
    mutating func add(_ job: Job, for client: HashingClient, limit: Int, now: Int64) -> Job? {
        number += 1
        let added = Waiting(job: job, client: client, rank: rank(of: client, now), addedAt: now)
        waiting.append(added)
        guard waiting.count > limit, let last = waiting.indices.max(by: { waiting[$0].rank < waiting[$1].rank })
        else { return nil }
        return turnAway(last, now)
    }

    /// The jobs that have waited for too long.
    mutating func expire(now: Int64) -> [Job] {
        waiting.indices.filter { now - waiting[$0].addedAt > maximumWait }.reversed().map { turnAway($0, now) }
    }

    /// The jobs whose result nobody waits for any more.
    mutating func remove(where isGone: (Job) -> Bool) -> [Job] {
        let gone = waiting.map(\.job).filter(isGone)
        waiting.removeAll { isGone($0.job) }
        return gone
    }

    /// The first in line, charged for.
    mutating func next(now: Int64) -> Job? {
        guard let first = waiting.indices.min(by: { waiting[$0].rank < waiting[$1].rank }) else { return nil }
        let served = waiting.remove(at: first)
        networks.add(Self.cost, to: served.client.network, at: now)
        if let site = served.client.network?.site { networks.add(Self.cost, to: site, at: now) }
        logins.add(Self.cost, to: served.client.login, at: now)
        turnedAway.forget(served.client)
        return served.job
    }

    /// What waits already of the same network and login comes before it, as if it had been served.
    private func rank(of client: HashingClient, _ now: Int64) -> Rank {
        var network = networks.level(of: client.network, at: now) + cost { $0.network == client.network }
        if let site = client.network?.site {
            let level = networks.level(of: site, at: now) + cost { $0.network?.site == site }
            network = max(network, level / Int64(ClientNetwork.networksOfSite))
        }
        return Rank(
            lane: client.isVouchedFor ? 0 : 1, network: network,
            login: logins.level(of: client.login, at: now) + cost { $0.login == client.login },
            since: turnedAway.since(client, now) ?? now, number: number)
    }

    private func cost(_ isAlike: (HashingClient) -> Bool) -> Int64 {
        Self.cost * Int64(waiting.count { isAlike($0.client) })
    }

    private mutating func turnAway(_ index: Int, _ now: Int64) -> Job {
        let last = waiting.remove(at: index)
        turnedAway.note(last.client, since: last.rank.since, now)
        return last.job
    }
}

/// Since when clients have been asking that found no room: the one that comes back is before those that came after it.
/// In fixed memory: one client in thousands takes another's place.
private struct TurnedAway {
    private struct Place {
        let client: Int
        let since: Int64
        let notedAt: Int64
    }

    private static let patience: Int64 = 30_000_000
    private static let size = 1 << 13
    private var places = [Place?](repeating: nil, count: TurnedAway.size)

    func since(_ client: HashingClient, _ now: Int64) -> Int64? {
        let name = Self.name(client)
        guard let place = places[Self.index(name)], place.client == name, now - place.notedAt < Self.patience else {
            return nil
        }
        return place.since
    }

    mutating func note(_ client: HashingClient, since: Int64, _ now: Int64) {
        let name = Self.name(client)
        places[Self.index(name)] = Place(client: name, since: since, notedAt: now)
    }

    mutating func forget(_ client: HashingClient) {
        let name = Self.name(client)
        if places[Self.index(name)]?.client == name { places[Self.index(name)] = nil }
    }

    private static func name(_ client: HashingClient) -> Int {
        var hasher = Hasher()
        hasher.combine(client.network)
        hasher.combine(client.login)
        return hasher.finalize()
    }

    private static func index(_ name: Int) -> Int { name & (size - 1) }
}
