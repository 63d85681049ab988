import Postgres

/// The addresses that earlier releases stored as they were typed.
public enum StoredAddresses {
    public struct Report: Sendable, Equatable {
        /// The number of addresses that were brought into their form.
        public var changed = 0
        /// Accounts whose addresses are not accepted any more. Nobody else has an address that looks equal.
        public var refused: [UUID] = []
        /// Groups of accounts whose addresses look equal.
        public var alike: [[UUID]] = []

        /// Sentences for the operator on what is left to do.
        public var problems: [String] {
            (refused.isEmpty
                ? [] : ["These accounts have e-mail addresses that are not accepted any more: \(Self.list(refused))"])
                + alike.map { "These accounts have e-mail addresses that look equal: \(Self.list($0))" }
        }

        private static func list(_ ids: [UUID]) -> String {
            let named = ids.prefix(100).map(\.description).joined(separator: ", ")
            return ids.count > 100 ? "\(named), and \(ids.count - 100) others." : "\(named)."
        }
    }

    /// Brings each address into its form (`EmailAddress`), unless it would lose characters, since a mail to the form may
    /// go elsewhere, and unless another account has an address that looks equal. Those are reported and stay. A pending
    /// address that is not in its form is forgotten.
    /// - Parameter connection: a connection of a role that may become tertulia_worker.
    public static func unify(_ connection: DedicatedConnection) async throws -> Report {
        var report = Report()
        var accounts: [[UInt8]: [Stored.Output]] = [:]
        var last = UUID(high: 0, low: 0)
        while true {
            let page = try await asWorker(connection) { try await $0.run(Stored(after: last)) }
            guard let end = page.last else { break }
            last = end.id
            for account in page {
                if let clearPending = account.clearPending {
                    _ = try await asWorker(connection) { try await $0.execute(clearPending) }
                }
                if account.isInForm { continue }
                if let form = account.form {
                    accounts[Array(form.utf8), default: []].append(account)
                } else {
                    report.refused.append(account.id)
                }
            }
        }
        for alike in accounts.values.sorted(by: { $0[0].id < $1[0].id }) {
            let holders = try await asWorker(connection) { try await $0.run(Holder(form: alike[0].form)) }
            if !holders.isEmpty || alike.count > 1 {
                report.alike.append(holders + alike.map(\.id))
            } else if alike[0].losesCharacters {
                report.refused.append(alike[0].id)
            } else if try await isChanged(alike[0], connection) {
                report.changed += 1
            }
        }
        return report
    }

    /// False if another account has taken the form meanwhile.
    private static func isChanged(_ account: Stored.Output, _ connection: DedicatedConnection) async throws -> Bool {
        do {
            return try await asWorker(connection) { try await $0.execute(account.update).affected == 1 }
        } catch PostgresError.constraint("credentials_email_key") {
            return false
        }
    }

    private static func asWorker<R: Sendable>(
        _ connection: DedicatedConnection, _ body: (DedicatedConnection) async throws -> R
    ) async throws -> R {
        try await connection.transaction { connection in
            try await connection.execute(script: "set local role tertulia_worker")
            return try await body(connection)
        }
    }

    /// A page of the accounts with an address whose form may differ: the form of an address of visible ASCII characters is
    /// the address.
    private struct Stored: Statement {
        struct Output: Sendable {
            let id: UUID
            let email: String
            /// The form of the address without its hidden characters; nil if it is not accepted then either.
            let form: String?
            let pending: String?

            var isInForm: Bool { form?.isSame(as: email) == true }

            var losesCharacters: Bool { email.unicodeScalars.contains(where: \.isHidden) }

            var update: SQL {
                "update credentials set email = \(form), updated_at = now() where user_id = \(id) and email = \(email)"
            }

            /// nil if the pending address is in its form, or if there is none.
            var clearPending: SQL? {
                guard let pending, (try? EmailAddress(pending))?.text.isSame(as: pending) != true else { return nil }
                return
                    "update credentials set pending_email = null where user_id = \(id) and pending_email = \(pending)"
            }
        }

        let after: UUID

        var sql: SQL {
            """
            select user_id, email, pending_email from credentials \
            where user_id > \(after) and (email ~ '[^!-~]' or pending_email ~ '[^!-~]') order by user_id limit 1000
            """
        }

        func decode(_ row: Row) -> Output {
            let email = row.string(1)
            return Output(
                id: row.uuid(0), email: email, form: (try? EmailAddress(email.withoutHidden))?.text,
                pending: row.string(optional: 2))
        }
    }

    /// The account that has the form itself.
    private struct Holder: Statement {
        let form: String?

        var sql: SQL { "select user_id from credentials where email = \(form)" }

        func decode(_ row: Row) -> UUID { row.uuid(0) }
    }
}
