import Foundation

/// What a device keeps of its session.
public struct Credentials: Sendable, Equatable {
    public var account: Account
    public var accessToken: String
    /// By this device's clock.
    public var accessTokenEnds: Date
    public var refreshToken: String
    /// For the next sign-in on this device; nil for an anonymous account.
    public var deviceToken: String?
}

/// Who is signed in.
public struct Account: Sendable, Equatable {
    /// The viewer's id.
    public var id: String
    public var isAnonymous: Bool

    public init(id: String, isAnonymous: Bool) {
        self.id = id
        self.isAnonymous = isAnonymous
    }
}

/// Keeps credentials between runs of an app: the Keychain where there is one.
public protocol CredentialStore: Sendable {
    func load() throws -> Credentials?
    /// - Parameter credentials: nil to remove what is kept.
    func save(_ credentials: Credentials?) throws
}

/// Credentials in a file that its owner alone may read.
public struct FileCredentialStore: CredentialStore {
    private let file: URL

    public init(file: URL) { self.file = file }

    public func load() throws -> Credentials? {
        guard let data = FileManager.default.contents(atPath: file.path) else { return nil }
        return try JSONValue(json: data).object.flatMap(Credentials.init)
    }

    public func save(_ credentials: Credentials?) throws {
        let manager = FileManager.default
        guard let credentials else {
            if manager.fileExists(atPath: file.path) { try manager.removeItem(at: file) }
            return
        }
        try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        // A new file with its mode from the start, put in the place of the old one: never readable by others, never half.
        let next = file.appendingPathExtension("next")
        guard
            manager.createFile(
                atPath: next.path, contents: Data(JSONValue.object(credentials.json).json),
                attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        guard rename(next.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}

extension Credentials {
    var json: JSONObject {
        JSONObject([
            ("account", .string(account.id)), ("isAnonymous", .boolean(account.isAnonymous)),
            ("accessToken", .string(accessToken)), ("accessTokenEnds", .float(accessTokenEnds.timeIntervalSince1970)),
            ("refreshToken", .string(refreshToken)), ("deviceToken", deviceToken.map(JSONValue.string) ?? .null),
        ])
    }

    init?(_ json: JSONObject) {
        guard let id = json["account"]?.text, case .boolean(let isAnonymous) = json["isAnonymous"],
            let accessToken = json["accessToken"]?.text, let refreshToken = json["refreshToken"]?.text,
            let ends = json["accessTokenEnds"].flatMap({ try? Double(output: $0) })
        else { return nil }
        self.init(
            account: Account(id: id, isAnonymous: isAnonymous), accessToken: accessToken,
            accessTokenEnds: Date(timeIntervalSince1970: ends), refreshToken: refreshToken,
            deviceToken: json["deviceToken"]?.text)
    }
}
