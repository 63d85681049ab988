import Crypto
import FoundationEssentials
import Push
import SystemPackage

extension Configuration {
    /// The credentials for APNs; nil if APNS_KEY is not set.
    /// - Throws: `CommandFailure` if they are incomplete or unreadable.
    func readAPNsCredentials() throws -> APNsCredentials? {
        guard let path = apnsKey else { return nil }
        for (name, id) in [("APNS_KEY_ID", apnsKeyID), ("APNS_TEAM_ID", apnsTeamID)] {
            guard id.utf8.count == 10, id.allSatisfy({ $0.isASCII && ($0.isNumber || $0.isUppercase) }) else {
                throw CommandFailure("APNS_KEY needs \(name), 10 characters.")
            }
        }
        guard let file = FileManager.default.contents(atPath: path.string) else {
            throw CommandFailure("APNS_KEY: \(path) cannot be read.")
        }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: String(decoding: file, as: UTF8.self)) else {
            throw CommandFailure("APNS_KEY: \(path) holds no key of Apple's, a .p8 file.")
        }
        return APNsCredentials(key: key, keyID: apnsKeyID, teamID: apnsTeamID)
    }
}
