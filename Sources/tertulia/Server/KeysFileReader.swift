import App
import Auth
import Logging

/// Takes over what a rotation wrote: a key is published an hour before it signs, so once a minute is early enough.
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

    /// A file that cannot be read leaves the keys as they are.
    func read() {
        do {
            tokens.keys = try file.load()
        } catch {
            logger.error("the keys could not be read", metadata: ["path": "\(file.path)", "error": "\(error)"])
        }
    }
}
