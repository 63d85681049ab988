// Built on Apple's systems only, and not by this repository's tests, which run on Linux.
#if canImport(Darwin)
    import Foundation

    /// Requests and sockets through the system's URL loading, which needs no further code in an app.
    public struct URLSessionTransport: Transport {
        private let session: URLSession

        public init(session: URLSession = .shared) { self.session = session }

        public func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
            var outgoing = URLRequest(url: request.url)
            outgoing.httpMethod = "POST"
            for (name, value) in request.headers { outgoing.addValue(value, forHTTPHeaderField: name) }
            do {
                let (body, response) = try await session.upload(for: outgoing, from: Data(request.body))
                guard let response = response as? HTTPURLResponse else { throw TransportError("No HTTP answer.") }
                return HTTPAnswer(
                    status: response.statusCode,
                    retryAfter: response.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init),
                    body: Array(body))
            } catch let error as URLError {
                throw TransportError("\(error)")
            }
        }

        public func connect(to url: URL, protocol name: String) async throws -> any TransportSocket {
            let task = session.webSocketTask(with: url, protocols: [name])
            task.maximumMessageSize = 16 << 20
            task.resume()
            return URLSessionSocket(task)
        }
    }

    private final class URLSessionSocket: TransportSocket {
        let messages: AsyncThrowingStream<String, any Error>
        private let task: URLSessionWebSocketTask

        init(_ task: URLSessionWebSocketTask) {
            self.task = task
            messages = AsyncThrowingStream {
                do {
                    while true {
                        if case .string(let text) = try await task.receive() { return text }
                    }
                } catch {
                    guard task.closeCode != .invalid else { throw TransportError("\(error)") }
                    let reason = task.closeReason.map { String(decoding: $0, as: UTF8.self) } ?? ""
                    throw SocketClosed(code: task.closeCode.rawValue, reason: reason)
                }
            }
        }

        func send(_ text: String) async throws {
            do { try await task.send(.string(text)) } catch { throw TransportError("\(error)") }
        }

        func close() async { task.cancel(with: .normalClosure, reason: nil) }
    }
#endif
