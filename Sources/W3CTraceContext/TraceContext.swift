import Cryptography

/// The span of a request's caller, as the header `traceparent` names it. The request's spans, and its entry in the
/// access log, take over the caller's trace ID.
/// W3C Trace Context, 3.2 Traceparent Header
public struct TraceContext: Sendable, Equatable {
    /// 32 hexadecimal digits.
    public let traceID: String
    /// 16 hexadecimal digits: the caller's span.
    public let parentID: String
    public let isSampled: Bool

    /// nil where the header is malformed: the request then counts as one without it.
    public init?(traceparent: String) {
        let bytes = Array(traceparent.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
            isLowerHexadecimal(bytes[0..<2]), isLowerHexadecimal(bytes[3..<35]), isLowerHexadecimal(bytes[36..<52]),
            isLowerHexadecimal(bytes[53..<55])
        else { return nil }
        let version = (bytes[0], bytes[1])
        if version == (UInt8(ascii: "f"), UInt8(ascii: "f")) { return nil }
        let isVersion0 = version == (UInt8(ascii: "0"), UInt8(ascii: "0"))
        // A later version may append fields behind another dash.
        guard bytes.count == 55 || (!isVersion0 && bytes[55] == dash) else { return nil }
        let isZero: (ArraySlice<UInt8>) -> Bool = { $0.allSatisfy { $0 == UInt8(ascii: "0") } }
        if isZero(bytes[3..<35]) || isZero(bytes[36..<52]) { return nil }
        traceID = String(decoding: bytes[3..<35], as: UTF8.self)
        parentID = String(decoding: bytes[36..<52], as: UTF8.self)
        isSampled = (Hex.digit(bytes[54]) ?? 0) & 1 == 1
    }
}

private func isLowerHexadecimal(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { Hex.digit($0) != nil && !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }
}
