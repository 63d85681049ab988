import GraphQL
import Postgres

/// An account of `firebase auth:export`.
/// Source: https://firebase.google.com/docs/cli/auth
struct ExportedAccount: Equatable {
    /// Firebase's limit for `localId`, in characters.
    static let maximumIDLength = 128

    let uid: String
    let email: String?
    let isEmailVerified: Bool
    let displayName: String?
    let passwordHash: String?
    let salt: String?
    let isDisabled: Bool
    /// True where the account has no e-mail address, no phone number and no provider to sign in with.
    let isAnonymous: Bool
    let createdAt: Timestamp?

    init(_ object: InputObject) throws(Defect) {
        guard case .string(let uid)? = object["localId"], !uid.isEmpty else {
            throw Defect(reason: "localId is missing.")
        }
        guard uid.unicodeScalars.count <= Self.maximumIDLength, !uid.utf8.contains(0) else {
            throw Defect(reason: "localId is longer than 128 characters, or has one that cannot be stored.")
        }
        self.uid = uid
        email = try Self.text(object, "email")
        displayName = try Self.text(object, "displayName")
        passwordHash = try Self.text(object, "passwordHash")
        salt = try Self.text(object, "salt")
        isEmailVerified = object["emailVerified"] == .boolean(true)
        isDisabled = object["disabled"] == .boolean(true)
        let providers = if case .list(let list)? = object["providerUserInfo"] { list.count } else { 0 }
        let phoneNumber = try Self.text(object, "phoneNumber")
        isAnonymous = email == nil && phoneNumber == nil && providers == 0
        createdAt = try Self.milliseconds(object["createdAt"])
    }

    /// The reason why an account cannot be read.
    struct Defect: Error, Equatable {
        let reason: String
    }

    private static func text(_ object: InputObject, _ name: String) throws(Defect) -> String? {
        switch object[name] {
        case .string(let text): return text.isEmpty ? nil : text
        case nil, .null: return nil
        default: throw Defect(reason: "\(name) is not a text.")
        }
    }

    private static func milliseconds(_ value: InputValue?) throws(Defect) -> Timestamp? {
        let number: Int?
        switch value {
        case nil, .null: return nil
        case .int(let milliseconds): number = milliseconds
        case .string(let text): number = Int(text)
        default: number = nil
        }
        guard let number, FirebaseDate.plausible.contains(Double(number)) else {
            throw Defect(reason: "createdAt is not a time in milliseconds.")
        }
        return Timestamp(unixMilliseconds: Int64(number))
    }
}

/// Reads the JSON of `firebase auth:export`: an object with the list `users`.
struct AccountReader {
    /// The longest account that is read, in bytes of JSON.
    private static let maximumByteCount = 1 << 16

    private let scanner: JSONScanner

    init(_ scanner: JSONScanner) { self.scanner = scanner }

    /// - Parameter body: called with each account and its place in the list, or with the reason for which it cannot be
    ///   read.
    func forEach(
        _ body: (Int, Result<ExportedAccount, ExportedAccount.Defect>) async throws -> Void
    ) async throws {
        guard try scanner.beginObject() else { throw Self.noExport }
        var hasUsers = false
        while let key = try scanner.key() {
            if key.text == "users", try scanner.beginArray() {
                hasUsers = true
                var place = 0
                while try scanner.element() {
                    try await body(place, Self.account(scanner.capture(limit: Self.maximumByteCount)))
                    place += 1
                }
            } else {
                try scanner.skip()
            }
        }
        if !hasUsers { throw Self.noExport }
    }

    private static let noExport = ImportFailure("This is not JSON of firebase auth:export: it has no list \"users\".")

    private static func account(_ bytes: [UInt8]?) -> Result<ExportedAccount, ExportedAccount.Defect> {
        Result { () throws(ExportedAccount.Defect) in
            guard let bytes else { throw ExportedAccount.Defect(reason: "The account has more than 64 KiB.") }
            let value: InputValue
            do { value = try parseJSON(bytes, maxDepth: FieldValue.maximumDepth) } catch {
                throw ExportedAccount.Defect(reason: "\(error)")
            }
            guard case .object(let object) = value else { throw ExportedAccount.Defect(reason: "It is not an object.") }
            return try ExportedAccount(object)
        }
    }
}
