import Foundation

/// What a device keeps of its session.
public struct Credentials: Sendable, Equatable {
    public var account: Account
    public var accessToken: String
    /// By this device's clock.
    public var accessTokenEnds: Date
    public var refreshToken: String
    /// The newest one that the session was given; nil for an anonymous account.
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

/// A credential store kept something that it cannot read. The store puts it aside before it throws this error, so that
/// the next ``CredentialStore/load()`` finds nothing.
public struct DamagedCredentials: Error, Sendable, Equatable {
    /// The place of the damaged bytes: a file's path, or the name of an item in the Keychain.
    public var setAside: String

    /// - Parameter setAside: the place of the damaged bytes.
    public init(setAside: String) { self.setAside = setAside }
}

/// Keeps credentials between runs of an app: the Keychain where there is one.
public protocol CredentialStore: Sendable {
    /// - Returns: nil where nothing is kept.
    /// - Throws: ``DamagedCredentials`` where what is kept was written wrongly or half, after it was put aside. Any
    ///   other error keeps the client from opening, as a Keychain does that is still locked.
    func load() throws -> Credentials?
    /// - Parameter credentials: nil to remove what is kept.
    func save(_ credentials: Credentials?) throws
    /// - Throws: as ``load()``.
    func loadDeviceTokens() throws -> DeviceTokens
    /// Keeps device tokens apart from the credentials, since they outlast them.
    func save(_ tokens: DeviceTokens) throws
}

/// Credentials in a file that its owner alone may read, and device tokens in another one beside it.
public struct FileCredentialStore: CredentialStore {
    private let file: URL

    public init(file: URL) { self.file = file }

    public func load() throws -> Credentials? {
        guard let data = FileManager.default.contents(atPath: file.path) else { return nil }
        guard let credentials = Credentials(stored: data) else { throw try setAside(file) }
        return credentials
    }

    public func save(_ credentials: Credentials?) throws {
        guard let credentials else {
            let manager = FileManager.default
            if manager.fileExists(atPath: file.path) { try manager.removeItem(at: file) }
            return
        }
        try write(.object(credentials.json), to: file)
    }

    private var deviceTokens: URL { file.appendingPathExtension("devices") }

    public func loadDeviceTokens() throws -> DeviceTokens {
        guard let data = FileManager.default.contents(atPath: deviceTokens.path) else { return DeviceTokens() }
        guard let tokens = DeviceTokens(stored: data) else { throw try setAside(deviceTokens) }
        return tokens
    }

    /// Renames a file. One that was put aside before is replaced, so that old secrets do not gather.
    private func setAside(_ file: URL) throws -> DamagedCredentials {
        let aside = file.path + ".damaged"
        guard rename(file.path, aside) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return DamagedCredentials(setAside: aside)
    }

    public func save(_ tokens: DeviceTokens) throws { try write(tokens.json, to: deviceTokens) }

    private func write(_ json: JSONValue, to file: URL) throws {
        let manager = FileManager.default
        try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        // A new file with its mode from the start, put in the place of the old one: never readable by others, never
        // half.
        let next = file.appendingPathExtension("next")
        guard
            manager.createFile(
                atPath: next.path, contents: Data(json.json), attributes: [.posixPermissions: 0o600])
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

    /// nil where the bytes are damaged.
    init?(stored data: Data) {
        guard let json = try? JSONValue(json: data), let object = json.object else { return nil }
        self.init(object)
    }

    private init?(_ json: JSONObject) {
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
