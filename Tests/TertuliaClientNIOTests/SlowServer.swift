import Foundation
import NIOCore
import NIOPosix

/// A server on a port of its own that heeds no request: it writes its pieces to each connection, one every 50 ms, and
/// then closes the connection or leaves it open. Bytes of a client that arrive after the end reset the connection, and
/// a client that has not read the pieces by then may lose them.
struct SlowServer {
    private let channel: any Channel

    init(pieces: [String], closes: Bool = true) async throws {
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                Self.write(pieces[...], to: channel, closes: closes)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    func url(_ scheme: String) throws -> URL {
        guard let port = channel.localAddress?.port, let url = URL(string: "\(scheme)://127.0.0.1:\(port)/graphql")
        else {
            throw URLError(.badURL)
        }
        return url
    }

    func close() async { try? await channel.close() }

    private static func write(_ pieces: ArraySlice<String>, to channel: any Channel, closes: Bool) {
        channel.eventLoop.scheduleTask(in: .milliseconds(50)) {
            guard channel.isActive, let piece = pieces.first else {
                if closes { channel.close(promise: nil) }
                return
            }
            channel.writeAndFlush(channel.allocator.buffer(string: piece), promise: nil)
            write(pieces.dropFirst(), to: channel, closes: closes)
        }
    }
}
