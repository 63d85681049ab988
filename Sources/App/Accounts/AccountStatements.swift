import Auth
import Postgres

/// The rows of a new account.
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

    /// Makes an anonymous account a full one, which keeps all that it owns.
    func upgrade(_ user: UUID) -> SQL {
        """
        update users set is_anonymous = false, username = \(username), \
        display_name = coalesce(\(displayName), \(username), display_name), \
        name_skeleton = coalesce(\(nameSkeleton), name_skeleton) where id = \(user)
        """
    }

    /// Refuses the upgrade of an account that is deleted. It is a statement of its own, so that it sees what was
    /// committed while the upgrade waited.
    func refuseDeleted(_ user: UUID) -> SQL {
        "select true where case \(Credentials.refuseDeleted("\(user)")) else true end"
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

    /// Inserts the session only while the account's password hash is `hash`. The lock on the credentials makes a
    /// concurrent change of the password wait, which then ends this session too.
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

    /// Gives the session a new family of refresh tokens when its account signs up. The earlier tokens end.
    var replaceTokens: SQL {
        """
        update sessions set family = \(token.family), current_hash = \(token.hash.bytes), parent_hash = null, \
        rotated_at = now(), last_used_at = now() where id = \(id) and user_id = \(userID)
        """
    }
}

/// The display name of an account that has not chosen one, derived from the account's id.
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
