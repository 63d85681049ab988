import ArgumentParser

/// The settings of traces and of the log of slow operations. The names and forms of those that begin with `OTEL_` are
/// OpenTelemetry's.
struct ObservabilityFlags: ParsableArguments {
    @Option(
        SettingForm<ServiceURL>(
            "OTEL_EXPORTER_OTLP_ENDPOINT", "Collector of traces, which gets OTLP over HTTP in JSON.",
            expected: "http://host:4318 or https://…", isSecret: true, show: \.masked,
            // A path is appended to the URL, so it can have no query or fragment.
            read: { text, _ in
                text.contains { $0 == "?" || $0 == "#" } ? nil : ServiceURL(text, schemes: ["http", "https"])
            }
        ).optional(unset: "none"), default: nil)
    var endpoint: Setting<ServiceURL?>

    @Option(.text("OTEL_SERVICE_NAME", expected: "a name", "The server's name in traces."), default: "tertulia")
    var serviceName: Setting<String>

    @Option(
        SettingForm<Double>(
            "OTEL_TRACES_SAMPLER_ARG", "The share of requests and live deliveries that are traced, 0 to 1.",
            expected: "a number from 0 to 1", show: { "\($0)" },
            read: { text, _ in Double(text).flatMap { 0...1 ~= $0 ? $0 : nil } }), default: 0.01)
    var ratio: Setting<Double>

    @Option(
        .number(
            "SLOW_OPERATION_MS", 0...3_600_000, of: "a number of milliseconds",
            "Milliseconds from which an operation is logged with its statements; 0: none is."), default: 0)
    var slowOperation: Setting<Int>
}

/// The settings of traces.
struct TracingSettings: Sendable {
    /// nil: nothing is traced.
    let endpoint: ServiceURL?
    let serviceName: String
    /// The share of requests and live deliveries that are traced, 0 to 1.
    let ratio: Double

    init(_ flags: ObservabilityFlags, _ reader: inout SettingReader) {
        endpoint = reader.read(flags.endpoint)
        serviceName = reader.read(flags.serviceName)
        ratio = reader.read(flags.ratio)
    }
}
