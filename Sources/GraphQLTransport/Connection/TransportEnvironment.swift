/// The parts that all client connections of a server share.
final class TransportEnvironment: Sendable {
    let endpoint: any GraphQLEndpoint
    let settings: ServerSettings
    let telemetry: Telemetry
    let connections: OpenConnections
    let upgraded = UpgradedConnections()
    let eventStreams: EventStreams
    let responses: ResponseEncoder

    init(
        endpoint: any GraphQLEndpoint, settings: ServerSettings, telemetry: Telemetry, connections: OpenConnections
    ) {
        self.endpoint = endpoint
        self.settings = settings
        self.telemetry = telemetry
        self.connections = connections
        eventStreams = EventStreams(settings.streams)
        responses = ResponseEncoder(crossOrigin: settings.crossOrigin)
    }
}
