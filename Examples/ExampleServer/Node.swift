import Cryptography
import GraphQL

struct User: ObjectValue {
    let name: String
    let age: Int?
    var role = Role.member

    var id: String { NodeID.encode("User", name) }

    /// user1 … user25.
    static let all = (1...25).map { number in
        User(name: "user\(number)", age: 19 + number, role: number.isMultiple(of: 5) ? .admin : .member)
    }
}

enum Role: String, LeafValue, CaseIterable {
    case admin = "ADMIN"
    case member = "MEMBER"
    case guest = "GUEST"
}

struct Post: ObjectValue {
    let title: String

    var id: String { NodeID.encode("Post", title) }
}

/// The value of the interface `Node` and of the union `SearchResult`: a user or a post.
enum Node: AbstractValue {
    case user(User)
    case post(Post)

    init?(id: String) {
        switch NodeID.decode(id) {
        case ("User", let name)?:
            guard let user = User.all.first(where: { $0.name == name }) else { return nil }
            self = .user(user)
        case ("Post", let title)?: self = .post(Post(title: title))
        default: return nil
        }
    }

    static func members(_ members: inout AbstractMembers<Node>) {
        members.member("User") { if case .user(let user) = $0 { user } else { nil } }
        members.member("Post") { if case .post(let post) = $0 { post } else { nil } }
    }
}

/// An id is opaque to clients: a type and a name in base 64.
private enum NodeID {
    static func encode(_ type: String, _ name: String) -> String { Base64.url.encode(Array("\(type):\(name)".utf8)) }

    static func decode(_ id: String) -> (type: Substring, name: String)? {
        guard let bytes = Base64.url.decode(id), let text = String(validating: bytes, as: UTF8.self),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        return (text[..<colon], String(text[text.index(after: colon)...]))
    }
}
