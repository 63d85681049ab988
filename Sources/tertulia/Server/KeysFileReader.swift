import App
import Auth
import Logging

/// Reads the key file once a minute. A rotation publishes a key an hour before the key signs, so no server reads it too
/// late.
struct KeysFileReader: Sendable {
    let file: SigningKeysFile
    let tokens: AccessTokens
    let logger: Logger

    func run() async {
        await PeriodicWorker("keys of access tokens", every: .seconds(60), logger: logger) {
            read()
            return .afterInterval
        }.run()
    }

    /// Replaces the keys. If the file cannot be read, the present keys stay.
    func read() {
        do {
            tokens.keys = try file.load()
        } catch {
            logger.error("the keys could not be read", metadata: ["path": "\(file.path)", "error": "\(error)"])
        }
    }
}
