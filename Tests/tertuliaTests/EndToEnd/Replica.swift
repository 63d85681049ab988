import FoundationEssentials
import Glibc
import GraphQL
import SystemPackage
import TestSupport

/// A server as a process of its own, and a client of it.
struct Replica: Sendable {
    let port: Int
    private let process: pid_t
    private let log: FilePath

    /// Runs a server for as long as `body` runs. Its process has ended when this returns or throws.
    /// - Parameter log: a file that takes what the server prints.
    static func with(_ arguments: [String], log: FilePath, _ body: (Replica) async throws -> Void) async throws {
        let replica = try await start(arguments, log: log)
        do {
            try await body(replica)
            try await replica.stop()
        } catch {
            kill(replica.process, SIGKILL)
            waitpid(replica.process, nil, 0)
            throw error
        }
    }

    private static func start(_ arguments: [String], log: FilePath) async throws -> Replica {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/"
        let path = FilePath(tests).removingLastComponent().appending("tertulia").string
        let process = try spawn(path, ["serve", "--port", "0", "--shutdown-delay", "0"] + arguments, log)
        var port: Int?
        do {
            try await eventually("a server that serves or ends, after \((try? read(log)) ?? "")") {
                port = try? read(log).firstMatch(of: /Tertulia serves http:\/\/127\.0\.0\.1:(\d+)\//)
                    .flatMap { Int($0.1) }
                return port != nil || waitpid(process, nil, WNOHANG) == process
            }
        } catch {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
            throw error
        }
        guard let port else { throw NotServing(log: (try? read(log)) ?? "") }
        return Replica(port: port, process: process, log: log)
    }

    struct NotServing: Error {
        let log: String
    }

    private static func spawn(_ path: String, _ arguments: [String], _ log: FilePath) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, log.string, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let variables: [UnsafeMutablePointer<CChar>?] = [nil]
        var process = pid_t()
        guard posix_spawn(&process, path, &actions, nil, words, variables) == 0 else { throw NotServing(log: "") }
        return process
    }

    private static func read(_ path: FilePath) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path.string)), as: UTF8.self)
    }

    var logged: String { (try? Self.read(log)) ?? "" }

    private func stop() async throws {
        kill(process, SIGTERM)
        try await eventually("the end of the server") { waitpid(process, nil, WNOHANG) == process }
    }

    /// Signs up, and signs in once.
    ///
    /// A repeated sign-up cannot give the session of the first: if that was done although its answer was TIMEOUT, the
    /// second is refused with TAKEN. The session is therefore a sign-in's.
    ///
    /// - Parameter profile: more fields of the input, as GraphQL.
    /// - Returns: the access token.
    func signUp(_ username: String, _ profile: String = "") async throws -> String {
        let account = "username: \"\(username)\", email: \"\(username)@example.org\", \(Self.password), \(profile)"
        _ = try await mutate("signUp", account, "clientMutationId")
        return try await signIn(username)
    }

    /// - Returns: the access token of a new session.
    func signIn(_ username: String) async throws -> String {
        try await mutate("signIn", "login: \"\(username)\", \(Self.password)", "accessToken")
    }

    private static let password = "password: \"a long quiet evening\""

    /// Does a mutation with a new `clientMutationId`, under which it is repeated; see `retrying`.
    ///
    /// - Parameters:
    ///   - input: the fields of the input, as GraphQL.
    ///   - path: the names of the fields from the payload to a text.
    /// - Returns: the text.
    func mutate(_ mutation: String, _ input: String, _ path: String..., as token: String? = nil) async throws -> String
    {
        let field = "\(mutation)(input: {clientMutationId: \"\(UUID())\", \(input)})"
        return try await ask("mutation { \(field) { \(Self.selection(path)) } }", [mutation] + path, token)
    }

    /// The text at a path of a query's data. The query is repeated as in `mutate`.
    func query(_ path: String..., as token: String) async throws -> String {
        try await ask("{ \(Self.selection(path)) }", path, token)
    }

    private static func selection(_ path: [String]) -> String {
        path.reversed().reduce("") { $0.isEmpty ? $1 : "\($1) { \($0) }" }
    }

    private func ask(_ operation: String, _ path: [String], _ token: String?) async throws -> String {
        let answer = try await retrying {
            try await post(operation, as: token)
        } body: {
            $0
        }
        var value = try parseJSON(Array(answer.utf8))
        for name in ["data"] + path {
            guard case .object(let object) = value, let next = object[name] else { throw NoSuchValue(answer: answer) }
            value = next
        }
        guard case .string(let text) = value else { throw NoSuchValue(answer: answer) }
        return text
    }

    struct NoSuchValue: Error {
        let answer: String
    }

    /// The body of an operation's answer.
    func post(_ operation: String, accept: String = "application/json", as token: String?) async throws -> String {
        let socket = try open(operation, accept: accept, as: token, isLast: true)
        let text = try await answer(to: operation, socket)
        return text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? text
    }

    /// The head and the body of an answer.
    func get(_ path: String) async throws -> String {
        let socket = try LoopbackSocket(port: port)
        socket.send(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
        return try await answer(to: path, socket)
    }

    private func answer(to request: String, _ socket: LoopbackSocket) async throws -> String {
        socket.readInBackground()
        try await eventually("the end of the answer to \(request)") { socket.hasEnded }
        return socket.text
    }

    /// A subscription as an event stream, which is read.
    func stream(_ operation: String, as token: String) throws -> LoopbackSocket {
        let socket = try open(operation, accept: "text/event-stream", as: token, isLast: false)
        socket.readInBackground()
        return socket
    }

    private func open(_ operation: String, accept: String, as token: String?, isLast: Bool) throws -> LoopbackSocket {
        var json = JSONWriter()
        json.write(InputObject([(name: "query", value: .string(operation))]))
        var head =
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: \(accept)\r\n"
        head += "Content-Length: \(json.bytes.count)\r\nConnection: \(isLast ? "close" : "keep-alive")\r\n"
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        let socket = try LoopbackSocket(port: port)
        socket.send(Array((head + "\r\n").utf8) + json.bytes)
        return socket
    }
}
