import Auth
import Postgres

/// A new account's rows.
struct NewAccount {
    let id: UUID
    let displayName: String?
    let username: String?
    let email: String
    let passwordHash: String

    var insert: SQL {
        """
        insert into users (id, username, display_name, name_skeleton) \
        values (\(id), \(username), \(displayName ?? username ?? GeneratedName.of(id)), \(nameSkeleton))
        """
    }

    private var nameSkeleton: String? { (displayName ?? username).map(NameSkeleton.of) }

    func insertCredentials(of user: UUID) -> SQL {
        "insert into credentials (user_id, email, password_hash) values (\(user), \(email), \(passwordHash))"
    }

    /// An anonymous account becomes a full one and keeps all that it owns.
    func upgrade(_ user: UUID) -> SQL {
        """
        update users set is_anonymous = false, username = \(username), \
        display_name = coalesce(\(displayName), \(username), display_name), \
        name_skeleton = coalesce(\(nameSkeleton), name_skeleton) where id = \(user)
        """
    }
}

/// A session's row with its first refresh token.
struct NewSession {
    let id: UUID
    let userID: UUID
    let userAgent: String?
    let address: String?
    let token = RefreshToken.random()

    var insert: SQL { "\(insertion) select \(values)" }

    /// Whoever changes the password meanwhile waits for this, and then ends this session too.
    func insert(whilePasswordHashIs hash: String) -> SQL {
        """
        \(insertion) select \(values) from (select from credentials where user_id = \(userID) \
        and password_hash = \(hash) for share) as account
        """
    }

    private var insertion: SQL {
        "insert into sessions (id, user_id, user_agent, ip_address, family, current_hash)"
    }

    private var values: SQL {
        """
        \(id), \(userID), \(userAgent.map { String($0.prefix(512)) }), \(address)::text::inet, \
        \(token.family), \(token.hash.bytes)
        """
    }

    /// The session goes on with tokens of a new family: those from before it was upgraded end.
    var replaceTokens: SQL {
        """
        update sessions set family = \(token.family), current_hash = \(token.hash.bytes), parent_hash = null, \
        rotated_at = now(), last_used_at = now() where id = \(id) and user_id = \(userID)
        """
    }
}

/// Until a name is chosen: never empty, and the same for the same account.
enum GeneratedName {
    private static let adjectives = [
        "Amber", "Brisk", "Calm", "Daring", "Early", "Fond", "Gentle", "Happy", "Idle", "Jolly", "Keen", "Lively",
        "Merry", "Noble", "Open", "Proud",
    ]
    private static let animals = [
        "Badger", "Crane", "Dolphin", "Falcon", "Gecko", "Heron", "Ibis", "Jackdaw", "Kestrel", "Lynx", "Marten",
        "Newt", "Otter", "Panda", "Quail", "Robin",
    ]

    static func of(_ id: UUID) -> String {
        "\(adjectives[Int(id.low & 15)]) \(animals[Int(id.low >> 4 & 15)]) \(id.low >> 8 & 0xFFF)"
    }
}
