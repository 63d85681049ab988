import ArgumentParser
import Auth
import Logging
import Postgres

struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look after the keys that sign access tokens.", subcommands: [Rotate.self])
}

struct Rotate: SettingsCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Add a key that signs from an hour ahead; the present ones retire when their last tokens have expired.",
        discussion: "Running servers read the file once a minute.")

    @OptionGroup var flags: SettingFlags

    func run(_ configuration: Configuration, logger: Logger) async throws {
        let file = SigningKeysFile(path: configuration.signingKeys.string)
        do {
            let keys = try file.rotate(
                now: Timestamp.now().unixMilliseconds / 1000, tokenLifetime: AccessTokens.defaultLifetime)
            guard let newest = keys.keys.last else { return }
            print("The key \(newest.kid) signs in \(SigningKeys.publishAhead / 60) minutes.")
        } catch .notFound {
            throw CommandFailure("There is no \(file.path): the first start of the server makes it.")
        } catch {
            throw CommandFailure("\(file.path) cannot be rotated: \(error)")
        }
    }
}
