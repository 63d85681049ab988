import Postgres

/// A database of one test, or of several that share it.
public struct TestDatabase: Sendable {
    public let name: String
    /// The connection string of a superuser.
    public let url: String
    private let administration: String

    init(name: String, administration: String) {
        self.name = name
        self.url = administration.replacingDatabase(with: name)
        self.administration = administration
    }

    /// Ends the sessions of the database and removes it.
    public func drop() async throws {
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(administration))
        try await connection.execute(script: "drop database \(name) with (force)")
        await connection.close()
    }
}

extension String {
    /// Of a URL the path, of `key=value` pairs the last `dbname`.
    fileprivate func replacingDatabase(with name: String) -> String {
        guard let scheme = firstRange(of: "://") else { return self + " dbname=\(name)" }
        let rest = self[scheme.upperBound...]
        let query = rest.firstIndex(of: "?").map { String(rest[$0...]) } ?? ""
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        return self[..<scheme.upperBound] + authority + "/" + name + query
    }

    private func firstRange(of text: String) -> Range<Index>? {
        indices.lazy.compactMap { start in
            self[start...].hasPrefix(text) ? start..<self.index(start, offsetBy: text.count) : nil
        }.first
    }
}
