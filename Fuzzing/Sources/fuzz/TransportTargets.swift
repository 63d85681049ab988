import GraphQL
import NIOCore
import NIOWebSocket
import W3CTraceContext

@testable import GraphQLTransport

/// A body with the boundary `b`: cut in one way or another, the outcome is the same.
func fuzzMultipart(_ bytes: [UInt8]) {
    let whole = outcome(of: bytes, chunk: .max)
    for chunk in [1, 2, 7] {
        precondition(outcome(of: bytes, chunk: chunk) == whole, "in pieces of \(chunk)")
    }
}

private enum Outcome: Equatable {
    case request(InputValue, [[UInt8]])
    case refusal(MultipartError)
}

private func outcome(of bytes: [UInt8], chunk: Int) -> Outcome {
    guard let boundary = MultipartBoundary("b") else { preconditionFailure("b is a boundary.") }
    var reader = MultipartRequestReader(boundary, limits: UploadLimits(), jsonDepth: 64)
    do {
        var position = 0
        while position < bytes.count {
            let end = position + min(chunk, bytes.count - position)
            try reader.read(Array(bytes[position..<end]))
            position = end
        }
        let request = try reader.finish()
        for file in request.files {
            precondition(!file.filename.contains("/") && file.filename != "..")
        }
        return .request(withoutFiles(request.operations), request.files.map(\.bytes))
    } catch {
        return .refusal(error)
    }
}

/// Files are compared by what they hold.
private func withoutFiles(_ value: InputValue) -> InputValue {
    switch value {
    case .upload: .string("file")
    case .list(let items): .list(items.map(withoutFiles))
    case .object(let object): .object(InputObject(object.fields.map { (name: $0.name, value: withoutFiles($0.value)) }))
    default: value
    }
}

/// A line a message or another event; the first byte says which. Once closed, nothing more is said.
func fuzzWebSocket(_ bytes: [UInt8]) {
    var state = ConnectionState(maxOperations: 3)
    var assembler = MessageAssembler(maxSize: 1_000, maxFragments: 10)
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
        let wasClosed = state.isClosed
        let action = step(line, &state, &assembler)
        if wasClosed { precondition(action == .none, "\(action) after the end") }
        switch action {
        case .close, .terminate: precondition(state.isClosed)
        case .start, .renew: precondition(state.isAcknowledged)
        default: break
        }
    }
}

private func step(
    _ line: ArraySlice<UInt8>, _ state: inout ConnectionState, _ assembler: inout MessageAssembler
) -> ConnectionState.Action {
    let rest = line.dropFirst()
    let id = String(decoding: rest.prefix(1), as: UTF8.self)
    switch line.first {
    case UInt8(ascii: "a"): return state.authenticated()
    case UInt8(ascii: "f"): return state.authenticationFailed(.forbidden)
    case UInt8(ascii: "r"): return state.renewed()
    case UInt8(ascii: "s"): return state.streaming(id, sendsLastEvents: false)
    case UInt8(ascii: "S"): return state.streaming(id, sendsLastEvents: true)
    case UInt8(ascii: "E"): return state.sessionEnded()
    case UInt8(ascii: "T"): return state.conclusionTimeoutPassed()
    case UInt8(ascii: "n"): return state.responded(id)
    case UInt8(ascii: "e"): return state.failed(id)
    case UInt8(ascii: "c"): return state.completed(id)
    case UInt8(ascii: "k"): return state.keepAliveDue()
    case UInt8(ascii: "d"): return state.drain()
    case UInt8(ascii: "t"): return state.connectionInitTimeoutPassed()
    case UInt8(ascii: "h"):
        state.heard()
        return .none
    case UInt8(ascii: "w"): return frame(rest, &state, &assembler)
    default: return message(ByteBuffer(bytes: line), &state)
    }
}

/// A frame: its first byte, whether it is masked, and its payload.
private func frame(
    _ bytes: ArraySlice<UInt8>, _ state: inout ConnectionState, _ assembler: inout MessageAssembler
) -> ConnectionState.Action {
    guard let first = bytes.first, let opcode = WebSocketOpcode(encodedWebSocketOpcode: first & 15) else {
        return .none
    }
    let frame = WebSocketFrame(
        fin: first & 0x80 != 0, rsv1: first & 0x40 != 0, opcode: opcode,
        maskKey: first & 0x10 != 0 ? nil : [1, 2, 3, 4], data: ByteBuffer(bytes: bytes.dropFirst()))
    switch assembler.receive(frame) {
    case .none, .pong, .ping: return .none
    case .text(let text): return message(text, &state)
    case .close(let code): return state.closeReceived(code)
    case .violation(let reason): return state.violated(reason)
    }
}

private func message(_ bytes: ByteBuffer, _ state: inout ConnectionState) -> ConnectionState.Action {
    do {
        return state.received(try ClientMessage(bytes))
    } catch {
        precondition(error.reason.text.utf8.count <= 123)
        return state.violated(error.reason)
    }
}

/// What a request's head holds for us to read.
func fuzzHeaders(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let accepted = AcceptedResponses(text)
    precondition(accepted.namesStream || !accepted.takesStream)
    _ = MultipartBoundary(contentType: text)
    _ = TraceContext(traceparent: text)
    if let id = RequestID(client: text) { precondition(id.description == text) }
    if let request = try? GraphQLRequest(query: text[...], maxDepth: 64), request.query == nil {
        _ = request.documentID
    }
    var header = PartHeader()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
        guard (try? header.read(Array(line))) != nil else { break }
    }
    precondition(!header.lastFilename.unicodeScalars.contains { $0.value < 32 })
}
