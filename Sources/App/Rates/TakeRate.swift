import GraphQL
import Postgres
import Limits

/// Takes one from a bucket that all replicas share.
struct TakeRate: Statement {
    let rate: Rate
    let bucket: String
    var site: String?

    var sql: SQL {
        """
        select remaining, wait from take_rate(\(bucket), \(site), \(Double(rate.quota)), \(Double(rate.window)))
        """
    }

    func decode(_ row: Row) -> RateUse { RateUse(rate, left: row.double(0), wait: row.double(1)) }
}

extension TakeRate {
    init(_ rate: Rate, of account: UUID) { self.init(rate: rate, bucket: "\(rate.name) \(account)") }

    /// - Parameter subject: whom the request is about, where that is counted apart.
    init(_ rate: Rate, of network: ClientNetwork, about subject: String? = nil) {
        let suffix = subject.map { " \($0)" } ?? ""
        self.init(
            rate: rate, bucket: "\(rate.name) \(network)\(suffix)",
            site: network.site.map { "\(rate.name) \($0)\(suffix)" })
    }
}

extension RequestContext {
    /// What counts as one client; nil where the address is not known, and then nothing is counted.
    var network: ClientNetwork? { address.map(ClientNetwork.init) }

    /// Counts the client's network.
    func take(_ rate: Rate, about subject: String? = nil) async throws {
        guard rate.quota > 0, let network else { return }
        try allow(try await use(TakeRate(rate, of: network, about: subject)))
    }

    func take(_ rate: Rate, of account: UUID) async throws {
        guard rate.quota > 0 else { return }
        try allow(try await use(TakeRate(rate, of: account)))
    }

    func use(_ bucket: TakeRate) async throws -> RateUse? { try await environment.pools.worker.run(bucket).first }

    /// Notes what is left, and refuses what was not allowed.
    func allow(_ use: RateUse?) throws {
        guard let use else { return }
        note(use)
        if use.isRefused { throw ExecutionError.rateLimited(retryAfter: use.next) }
    }
}
