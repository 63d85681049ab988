import GraphQL
import Limits
import Postgres

/// Takes a token from a bucket that all replicas share.
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

    /// - Parameter subject: the recipient or login that the request concerns, for a rate that counts each separately.
    init(_ rate: Rate, of network: ClientNetwork, about subject: String? = nil) {
        let suffix = subject.map { " \($0)" } ?? ""
        self.init(
            rate: rate, bucket: "\(rate.name) \(network)\(suffix)",
            site: network.site.map { "\(rate.name) \($0)\(suffix)" })
    }
}

extension RequestContext {
    /// The client's network, by which rates count; nil if the address is unknown, and then nothing is counted.
    var network: ClientNetwork? { address.map(ClientNetwork.init) }

    /// Counts a request against the client's network.
    /// - Throws: RATE_LIMITED.
    func take(_ rate: Rate, about subject: String? = nil) async throws {
        guard rate.quota > 0, let network else { return }
        try allow(try await use(TakeRate(rate, of: network, about: subject)))
    }

    func take(_ rate: Rate, of account: UUID) async throws {
        guard rate.quota > 0 else { return }
        try allow(try await use(TakeRate(rate, of: account)))
    }

    func use(_ bucket: TakeRate) async throws -> RateUse? { try await environment.pools.worker.run(bucket).first }

    /// Notes the rate's state for the response's headers.
    /// - Throws: RATE_LIMITED if the rate refused the request.
    func allow(_ use: RateUse?) throws {
        guard let use else { return }
        note(use)
        if use.isRefused { throw ExecutionError.rateLimited(retryAfter: use.next) }
    }
}
