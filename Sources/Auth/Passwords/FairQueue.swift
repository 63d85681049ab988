import Limits

/// The jobs that wait for a thread of a `HashingPool`. Jobs of vouched-for clients are served first. Jobs of equal
/// standing are ordered by the number of recent hashes of their network, the lowest first, then by that of their login,
/// then by the time at which their client first asked. If the queue is full, the job that would be served last is
/// refused, which may be the new job. Times are in microseconds.
struct FairQueue<Job> {
    /// A job's place in the order. The job with the least rank is served first.
    private struct Rank: Comparable {
        let standing: Int
        let network: Int64
        let login: Int64
        let since: Int64
        let number: Int

        static func < (left: Rank, right: Rank) -> Bool {
            (left.standing, left.network, left.login, left.since, left.number)
                < (right.standing, right.network, right.login, right.since, right.number)
        }
    }

    private struct Waiting {
        let job: Job
        let client: HashingClient
        let rank: Rank
        let addedAt: Int64
    }

    /// The level that one hash adds to its network, site and login. The level drains in ten seconds, because the
    /// default rate of sign-ins allows a network one in ten seconds.
    private static var cost: Int64 { 10_000_000 }

    private let maximumWait: Int64
    private var waiting: [Waiting] = []
    private var networks = DrainingLevels(cellsPerRow: 1 << 12)
    private var logins = DrainingLevels(cellsPerRow: 1 << 12)
    private var refusedClients = RefusedClients()
    private var number = 0

    init(maximumWait: Int64) { self.maximumWait = maximumWait }

    var count: Int { waiting.count }

    /// - Parameter limit: the number of jobs that may wait.
    /// - Returns: the job that is refused because the queue is full; nil if the queue has room.
    mutating func add(_ job: Job, for client: HashingClient, limit: Int, now: Int64) -> Job? {
        number += 1
        let added = Waiting(job: job, client: client, rank: rank(of: client, now), addedAt: now)
        waiting.append(added)
        guard waiting.count > limit, let last = waiting.indices.max(by: { waiting[$0].rank < waiting[$1].rank })
        else { return nil }
        return turnAway(last, now)
    }

    /// Removes and returns the jobs that have waited for longer than `maximumWait`.
    mutating func expire(now: Int64) -> [Job] {
        waiting.indices.filter { now - waiting[$0].addedAt > maximumWait }.reversed().map { turnAway($0, now) }
    }

    /// Removes and returns the jobs for which `isGone` is true, such as those of cancelled tasks.
    ///
    /// - Parameter isGone: is called once for each job, because a task can be cancelled at any moment: a second call
    ///   could remove a job that the first one had not returned.
    mutating func remove(where isGone: (Job) -> Bool) -> [Job] {
        var gone: [Job] = []
        var left: [Waiting] = []
        for job in waiting {
            if isGone(job.job) { gone.append(job.job) } else { left.append(job) }
        }
        waiting = left
        return gone
    }

    /// Removes and returns the job with the least rank, and adds its cost to the levels of its network, site and login.
    mutating func next(now: Int64) -> Job? {
        guard let first = waiting.indices.min(by: { waiting[$0].rank < waiting[$1].rank }) else { return nil }
        let served = waiting.remove(at: first)
        networks.add(Self.cost, to: served.client.network, at: now)
        if let site = served.client.network?.site { networks.add(Self.cost, to: site, at: now) }
        logins.add(Self.cost, to: served.client.login, at: now)
        refusedClients.forget(served.client)
        return served.job
    }

    /// The rank of a job that is added now. Waiting jobs of the same network, site or login count as if they had been
    /// served, so that a client's second job ranks behind the first jobs of other clients.
    private func rank(of client: HashingClient, _ now: Int64) -> Rank {
        var network = networks.level(of: client.network, at: now) + cost { $0.network == client.network }
        if let site = client.network?.site {
            let level = networks.level(of: site, at: now) + cost { $0.network?.site == site }
            network = max(network, level / Int64(ClientNetwork.networksOfSite))
        }
        return Rank(
            standing: client.isVouchedFor ? 0 : 1, network: network,
            login: logins.level(of: client.login, at: now) + cost { $0.login == client.login },
            since: refusedClients.since(client, now) ?? now, number: number)
    }

    private func cost(_ isAlike: (HashingClient) -> Bool) -> Int64 {
        Self.cost * Int64(waiting.count { isAlike($0.client) })
    }

    private mutating func turnAway(_ index: Int, _ now: Int64) -> Job {
        let last = waiting.remove(at: index)
        refusedClients.note(last.client, since: last.rank.since, now)
        return last.job
    }
}

/// The times at which refused clients first asked. A client that comes back within 30 seconds therefore ranks before
/// clients with the same levels that first asked later. The table has a fixed size: if two clients have the same index,
/// the one noted later replaces the other.
private struct RefusedClients {
    private struct Refusal {
        let client: Int
        let since: Int64
        let notedAt: Int64
    }

    private static let patience: Int64 = 30_000_000
    private static let size = 1 << 13
    private var refusals = [Refusal?](repeating: nil, count: RefusedClients.size)

    func since(_ client: HashingClient, _ now: Int64) -> Int64? {
        let name = Self.name(client)
        guard let place = refusals[Self.index(name)], place.client == name, now - place.notedAt < Self.patience else {
            return nil
        }
        return place.since
    }

    mutating func note(_ client: HashingClient, since: Int64, _ now: Int64) {
        let name = Self.name(client)
        refusals[Self.index(name)] = Refusal(client: name, since: since, notedAt: now)
    }

    mutating func forget(_ client: HashingClient) {
        let name = Self.name(client)
        if refusals[Self.index(name)]?.client == name { refusals[Self.index(name)] = nil }
    }

    private static func name(_ client: HashingClient) -> Int {
        var hasher = Hasher()
        hasher.combine(client.network)
        hasher.combine(client.login)
        return hasher.finalize()
    }

    private static func index(_ name: Int) -> Int { name & (size - 1) }
}
