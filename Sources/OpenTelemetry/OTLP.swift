import FoundationEssentials
import GraphQL
import Tracing

/// The messages of OTLP in JSON. Members have the names of opentelemetry/proto/trace/v1/trace.proto. A parent, events,
/// links and a status are left out where the span has none. IDs are hexadecimal, enumerations are numbers, and 64-bit
/// integers are strings.
/// OpenTelemetry Protocol 1.5, "JSON Protobuf Encoding"
enum OTLP {
    struct Resource: Sendable {
        fileprivate let attributes: InputValue

        init(_ attributes: [(name: String, value: String)]) {
            self.attributes = .list(attributes.map { keyValue($0.name, object("stringValue", .string($0.value))) })
        }
    }

    /// The body of a request that exports the spans.
    static func exportRequest(_ spans: [FinishedSpan], _ resource: Resource) -> [UInt8] {
        let scopeSpans = InputObject([
            (name: "scope", value: object("name", .string("tertulia"))), (name: "spans", value: .list(spans.map(span))),
        ])
        let resourceSpans = InputObject([
            (name: "resource", value: object("attributes", resource.attributes)),
            (name: "scopeSpans", value: .list([.object(scopeSpans)])),
        ])
        var json = JSONWriter(capacity: 1024 * spans.count)
        json.write(object("resourceSpans", .list([.object(resourceSpans)])))
        return json.bytes
    }

    private static func span(_ span: FinishedSpan) -> InputValue {
        var members = InputObject([
            (name: "traceId", value: .string(span.identity.traceID)),
            (name: "spanId", value: .string(span.identity.spanID)), (name: "name", value: .string(span.name)),
            (name: "kind", value: .int(number(of: span.kind))),
            (name: "startTimeUnixNano", value: .string(String(span.startedAt))),
            (name: "endTimeUnixNano", value: .string(String(span.endedAt))),
            (name: "attributes", value: .list(attributes(span.attributes))),
        ])
        func add(_ name: String, _ value: InputValue) { members.fields.append((name: name, value: value)) }
        if let parent = span.parent { add("parentSpanId", .string(parent.spanID)) }
        if !span.events.isEmpty { add("events", .list(span.events.map(event))) }
        let links = span.links.compactMap(link)
        if !links.isEmpty { add("links", .list(links)) }
        if let status = span.status { add("status", value(of: status)) }
        return .object(members)
    }

    private static func number(of kind: SpanKind) -> Int {
        switch kind {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }

    private static func event(_ event: SpanEvent) -> InputValue {
        .object(
            InputObject([
                (name: "timeUnixNano", value: .string(String(event.nanosecondsSinceEpoch))),
                (name: "name", value: .string(event.name)),
                (name: "attributes", value: .list(attributes(event.attributes))),
            ]))
    }

    private static func link(_ link: SpanLink) -> InputValue? {
        link.context.span.map { span in
            .object(
                InputObject([
                    (name: "traceId", value: .string(span.traceID)), (name: "spanId", value: .string(span.spanID)),
                    (name: "attributes", value: .list(attributes(link.attributes))),
                ]))
        }
    }

    private static func value(of status: SpanStatus) -> InputValue {
        let code =
            switch status.code {
            case .ok: 1
            case .error: 2
            }
        var members = InputObject([(name: "code", value: .int(code))])
        if let message = status.message { members.fields.append((name: "message", value: .string(message))) }
        return .object(members)
    }

    /// The attributes in the order of their names, since the order of `SpanAttributes` changes from run to run.
    static func attributes(_ attributes: SpanAttributes) -> [InputValue] {
        var found: [(name: String, value: InputValue)] = []
        attributes.forEach { name, attribute in
            if let value = value(of: attribute) { found.append((name: name, value: value)) }
        }
        return found.sorted { $0.name < $1.name }.map { keyValue($0.name, $0.value) }
    }

    /// nil for a value of a kind that the protocol does not have.
    /// opentelemetry/proto/common/v1/common.proto, `AnyValue`
    private static func value(of attribute: SpanAttribute) -> InputValue? {
        switch attribute {
        case .int32(let value): integer(Int64(value))
        case .int64(let value): integer(value)
        case .double(let value): double(value)
        case .bool(let value): object("boolValue", .boolean(value))
        case .string(let value): object("stringValue", .string(value))
        case .stringConvertible(let value): object("stringValue", .string("\(value)"))
        case .int32Array(let values): array(values.map { integer(Int64($0)) })
        case .int64Array(let values): array(values.map(integer))
        case .doubleArray(let values): array(values.map(double))
        case .boolArray(let values): array(values.map { object("boolValue", .boolean($0)) })
        case .stringArray(let values): array(values.map { object("stringValue", .string($0)) })
        case .stringConvertibleArray(let values): array(values.map { object("stringValue", .string("\($0)")) })
        default: nil
        }
    }

    private static func integer(_ value: Int64) -> InputValue { object("intValue", .string(String(value))) }

    /// JSON has no infinity and no NaN.
    private static func double(_ value: Double) -> InputValue {
        value.isFinite ? object("doubleValue", .float(value)) : object("stringValue", .string("\(value)"))
    }

    private static func array(_ values: [InputValue]) -> InputValue {
        object("arrayValue", object("values", .list(values)))
    }

    private static func keyValue(_ key: String, _ value: InputValue) -> InputValue {
        .object(InputObject([(name: "key", value: .string(key)), (name: "value", value: value)]))
    }

    private static func object(_ name: String, _ value: InputValue) -> InputValue {
        .object(InputObject([(name: name, value: value)]))
    }

    /// The number of spans that a collector has refused of a request that it accepted.
    /// OTLP 1.5, "Partial Success"
    static func rejectedSpans(_ answer: Data) -> Int {
        struct Answer: Decodable {
            struct PartialSuccess: Decodable { let rejectedSpans: Number? }
            /// A 64-bit integer: a string in Protobuf's JSON, and a number in the JSON of some collectors.
            struct Number: Decodable {
                let value: Int

                init(from decoder: any Decoder) throws {
                    let container = try decoder.singleValueContainer()
                    value = try (try? container.decode(Int.self)) ?? Int(container.decode(String.self)) ?? 0
                }
            }
            let partialSuccess: PartialSuccess?
        }
        return (try? JSONDecoder().decode(Answer.self, from: answer))?.partialSuccess?.rejectedSpans?.value ?? 0
    }
}
