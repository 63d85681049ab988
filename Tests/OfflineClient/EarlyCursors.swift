import Foundation
import GRDB
import TertuliaClient

/// Stores the cursor of each change before the client gets it, in a transaction of its own: what a client would do that
/// does not store both in one. The check has to find that a client which is killed in between misses rows. The cursor
/// of an added object is told to the driver, so that it can kill the client in between.
struct EarlyCursors: Transport {
    private let base: any Transport
    private let folder: URL

    init(_ base: any Transport, folder: URL) {
        self.base = base
        self.folder = folder
    }

    func send(_ request: HTTPRequest) async throws -> HTTPAnswer { try await base.send(request) }

    func connect(to url: URL, protocol name: String) async throws -> any TransportSocket {
        EarlySocket(try await base.connect(to: url, protocol: name), folder: folder)
    }
}

private final class EarlySocket: TransportSocket {
    let messages: AsyncThrowingStream<String, any Error>
    private let base: any TransportSocket
    private let task: Task<Void, Never>

    init(_ base: any TransportSocket, folder: URL) {
        self.base = base
        let (messages, continuation) = AsyncThrowingStream.makeStream(of: String.self, throwing: (any Error).self)
        self.messages = messages
        task = Task {
            do {
                for try await text in base.messages {
                    if let change = Self.change(of: text), let cursor = change["cursor"]?.text {
                        try Self.store(cursor, in: folder)
                        if change["kind"]?.text == "ADDED" { Report.write([("early", .string(cursor))]) }
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    continuation.yield(text)
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    deinit { task.cancel() }

    private static func change(of text: String) -> JSONObject? {
        let message = (try? JSONValue(json: text.utf8))?.object
        guard message?["type"]?.text == "next" else { return nil }
        return message?["payload"]?.object?["data"]?.object?["feedChanges"]?.object
    }

    private static func store(_ cursor: String, in folder: URL) throws {
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "sqlite" {
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            let queue = try DatabaseQueue(path: file.path, configuration: configuration)
            try queue.write { try $0.execute(sql: "update lists set change_cursor = ?", arguments: [cursor]) }
            try queue.close()
        }
    }

    func send(_ text: String) async throws { try await base.send(text) }
    func close() async { await base.close() }
}
