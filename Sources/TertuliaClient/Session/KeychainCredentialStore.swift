// Built on Apple's systems only, and not by this repository's tests, which run on Linux.
#if canImport(Darwin)
    import Foundation
    import Security

    /// Credentials in the Keychain, readable after the device was unlocked once, on this device alone.
    public struct KeychainCredentialStore: CredentialStore {
        private let service: String

        /// - Parameter service: the name of the Keychain item, such as the app's identifier.
        public init(service: String) { self.service = service }

        private var item: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: "session",
            ]
        }

        public func load() throws -> Credentials? {
            var query = item
            query[kSecReturnData as String] = true
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data else { throw KeychainError(status: status) }
            return try JSONValue(json: data).object.flatMap(Credentials.init)
        }

        public func save(_ credentials: Credentials?) throws {
            let removed = SecItemDelete(item as CFDictionary)
            guard removed == errSecSuccess || removed == errSecItemNotFound else {
                throw KeychainError(status: removed)
            }
            guard let credentials else { return }
            var added = item
            added[kSecValueData as String] = Data(JSONValue.object(credentials.json).json)
            added[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            let status = SecItemAdd(added as CFDictionary, nil)
            guard status == errSecSuccess else { throw KeychainError(status: status) }
        }
    }

    /// The Keychain has refused.
    public struct KeychainError: Error, Sendable, Equatable {
        /// An `OSStatus`.
        public var status: Int32
    }
#endif
