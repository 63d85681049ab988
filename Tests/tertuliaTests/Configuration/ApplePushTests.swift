import FoundationEssentials
import Testing

@testable import tertulia

@Suite struct ApplePushTests {
    private func configuration(_ environment: [String: String]) throws -> Configuration {
        try Configuration(SettingFlags.parse([]), environment: environment, workingDirectory: "/srv/app")
    }

    @Test func noKeyIsNoPush() throws {
        #expect(try configuration([:]).readAPNsCredentials() == nil)
    }

    @Test func aKeyNeedsItsIds() throws {
        let wrong: [([String: String], String)] = [
            (["APNS_KEY": "a.p8"], "APNS_KEY needs APNS_KEY_ID, 10 characters."),
            (
                ["APNS_KEY": "a.p8", "APNS_KEY_ID": "ABC123DEFG", "APNS_TEAM_ID": "x\"y"],
                "APNS_KEY needs APNS_TEAM_ID, 10 characters."
            ),
            (
                ["APNS_KEY": "a.p8", "APNS_KEY_ID": "ABC123DEFG", "APNS_TEAM_ID": "DEF123GHIJ"],
                "APNS_KEY: /srv/app/a.p8 cannot be read."
            ),
            (
                ["APNS_KEY": #filePath, "APNS_KEY_ID": "ABC123DEFG", "APNS_TEAM_ID": "DEF123GHIJ"],
                "APNS_KEY: \(#filePath) holds no key of Apple's, a .p8 file."
            ),
        ]
        for (environment, message) in wrong {
            let configuration = try configuration(environment)
            #expect(throws: CommandFailure(message)) { try configuration.readAPNsCredentials() }
        }
    }
}
