import Foundation

/// The newest device token of each account that has signed in on this device. A device token is no credential: by it a
/// server knows that a device belongs to an account's owner, and lets the owner try a password while strangers guess
/// it. Therefore it outlasts the session in which it was issued.
public struct DeviceTokens: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        let server: String
        let account: String
        /// The addresses and usernames with which the account has signed in here.
        var logins: [String]
        var token: String
    }

    /// In the order in which their tokens were issued.
    private var entries: [Entry] = []
    private static let maximumCount = 16

    public init() {}

    /// The token for an attempt to sign in. For a login that is new here, this is the token that was issued last: the
    /// login may be another one of the same account, and the server ignores the token of another account.
    func token(for login: String, at server: String) -> String? {
        let known = entries.filter { $0.server == server }
        return (known.last { $0.logins.contains(Self.normalised(login)) } ?? known.last)?.token
    }

    /// - Parameter logins: the logins with which the token was given; empty where a session is renewed.
    mutating func keep(_ token: String, of account: String, at server: String, logins: [String]) {
        let index = entries.firstIndex { $0.server == server && $0.account == account }
        var entry =
            index.map { entries.remove(at: $0) } ?? Entry(server: server, account: account, logins: [], token: token)
        entry.token = token
        for login in logins.map(Self.normalised) where !entry.logins.contains(login) { entry.logins.append(login) }
        entries = Array((entries + [entry]).suffix(Self.maximumCount))
    }

    /// The server does not tell capital letters from small ones, either.
    private static func normalised(_ login: String) -> String {
        login.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    }
}

extension DeviceTokens {
    var json: JSONValue {
        .list(
            entries.map { entry in
                .object(
                    JSONObject([
                        ("server", .string(entry.server)), ("account", .string(entry.account)),
                        ("logins", .list(entry.logins.map(JSONValue.string))), ("token", .string(entry.token)),
                    ]))
            })
    }

    /// nil where the bytes are damaged.
    init?(stored data: Data) {
        guard let json = try? JSONValue(json: data), let list = json.list else { return nil }
        entries = list.compactMap(\.object).compactMap { entry in
            guard let server = entry["server"]?.text, let account = entry["account"]?.text,
                let token = entry["token"]?.text
            else { return nil }
            return Entry(
                server: server, account: account, logins: (entry["logins"]?.list ?? []).compactMap(\.text), token: token
            )
        }
    }
}
