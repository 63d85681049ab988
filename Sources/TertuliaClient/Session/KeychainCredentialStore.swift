// This file is compiled on Apple's systems only. This repository's tests run on Linux and do not cover it.
#if canImport(Darwin)
    import Foundation
    import Security

    /// Credentials in the Keychain, readable after the device was unlocked once, on this device alone.
    public struct KeychainCredentialStore: CredentialStore {
        private let service: String

        /// - Parameter service: the service (`kSecAttrService`) of the Keychain items, such as the app's identifier.
        public init(service: String) { self.service = service }

        public func load() throws -> Credentials? {
            guard let data = try data(of: "session") else { return nil }
            guard let credentials = Credentials(stored: data) else { throw try setAside("session", data) }
            return credentials
        }

        public func save(_ credentials: Credentials?) throws {
            try save(credentials.map { Data(JSONValue.object($0.json).json) }, as: "session")
        }

        public func loadDeviceTokens() throws -> DeviceTokens {
            guard let data = try data(of: "devices") else { return DeviceTokens() }
            guard let tokens = DeviceTokens(stored: data) else { throw try setAside("devices", data) }
            return tokens
        }

        /// Keeps a damaged item under another name, in the place of one that was put aside before.
        private func setAside(_ name: String, _ data: Data) throws -> DamagedCredentials {
            let aside = name + ".damaged"
            try save(data, as: aside)
            try save(nil, as: name)
            return DamagedCredentials(setAside: aside)
        }

        public func save(_ tokens: DeviceTokens) throws { try save(Data(tokens.json.json), as: "devices") }

        private func item(_ name: String) -> [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: name,
            ]
        }

        private func data(of name: String) throws -> Data? {
            var query = item(name)
            query[kSecReturnData as String] = true
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data else { throw KeychainError(status: status) }
            return data
        }

        private func save(_ data: Data?, as name: String) throws {
            let removed = SecItemDelete(item(name) as CFDictionary)
            guard removed == errSecSuccess || removed == errSecItemNotFound else {
                throw KeychainError(status: removed)
            }
            guard let data else { return }
            var added = item(name)
            added[kSecValueData as String] = data
            added[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            let status = SecItemAdd(added as CFDictionary, nil)
            guard status == errSecSuccess else { throw KeychainError(status: status) }
        }
    }

    /// The Keychain has refused to read, add or delete an item.
    public struct KeychainError: Error, Sendable, Equatable {
        /// An `OSStatus`.
        public var status: Int32
    }
#endif
