import GraphQLTransport
import Logging
import SystemPackage

/// The addresses on which a server will listen, tested before anything is started.
struct Listening {
    /// nil if the default address of metrics is not available, for example because a second tertulia listens on it.
    let metrics: (host: String, port: Int)?

    /// - Throws: `CommandFailure` if an address cannot be listened on.
    init(_ configuration: Configuration, logger: Logger) throws(CommandFailure) {
        if let error = Self.error(configuration.host, configuration.port) {
            throw Self.failure(configuration.host, configuration.port, error, setting: "PORT")
        }
        let (host, port) = (configuration.metricsHost, configuration.metricsPort)
        guard let error = Self.error(host, port) else {
            metrics = (host, port)
            return
        }
        let isChosen = configuration.settings.contains {
            ["METRICS_HOST", "METRICS_PORT"].contains($0.variable) && $0.origin != .standard
        }
        let failure = Self.failure(host, port, error, setting: "METRICS_PORT")
        if isChosen { throw failure }
        logger.warning("Metrics are not served", metadata: ["reason": "\(failure)"])
        metrics = nil
    }

    private static func error(_ host: String, _ port: Int) -> Errno? {
        port == 0 ? nil : MachineChecks.bindError(host: host, port: port)
    }

    /// - Parameter setting: the environment variable that sets the port.
    static func failure(_ host: String, _ port: Int, _ error: Errno, setting: String) -> CommandFailure {
        let address = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        let another = "with \(SettingOrigin.flagName(of: setting)) or \(setting)"
        return switch error {
        case .addressInUse:
            CommandFailure(
                """
                \(address) is in use, perhaps by another tertulia (ss -ltnp 'sport = :\(port)' names the process): \
                stop it, or choose another port \(another).
                """)
        case .permissionDenied:
            CommandFailure(
                """
                \(address) may not be used by \(OperatingSystemUser.current.name): choose a port above 1023 \(another).
                """)
        default:
            CommandFailure(
                """
                \(address) cannot be listened on (\(error)): set \(setting.dropLast(4))HOST to an address of this machine.
                """)
        }
    }

    /// The failure of a server whose address was available in the test, but not any more when the server started.
    static func failure(_ failure: ListeningFailure, setting: String) -> CommandFailure {
        self.failure(failure.host, failure.port, Errno(rawValue: failure.errorCode), setting: setting)
    }
}
