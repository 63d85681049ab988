import Foundation
import TertuliaClient

/// Measures what a client costs. `client-benchmark fill FOLDER ROWS` stores a list, `cold FOLDER` shows it in a new
/// process, `live FOLDER ROWS CHANGES SECONDS` observes it for SECONDS while CHANGES changes a second arrive, and
/// `real FOLDER URL SECONDS` observes the feed of a server that runs, with an empty folder.
@main struct ClientBenchmark {
    static func main() async throws {
        let began = ContinuousClock.now
        let arguments = CommandLine.arguments
        guard arguments.count > 2 else { return print("client-benchmark fill|cold|live|real FOLDER …") }
        let folder = URL(fileURLWithPath: arguments[2])
        if arguments[1] == "real" {
            guard arguments.count > 4, let url = URL(string: arguments[3]), let seconds = Int(arguments[4]), seconds > 0
            else { return print("client-benchmark real FOLDER URL SECONDS") }
            return try await RealServer(url).measure(in: folder, seconds: seconds)
        }
        let rows = arguments.count > 3 ? Int(arguments[3]) ?? 10_000 : 10_000
        let server = ScriptedServer(rows: rows)
        let client = try await Client(
            url: URL(fileURLWithPath: "/graphql"), transport: server, credentials: NoCredentials(), folder: folder,
            schema: .generated, maximumRecords: 1_000_000)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        switch arguments[1] {
        case "fill": _ = try await list.values.first { @Sendable in $0.phase == .live && $0.rows.count == rows }
        case "cold":
            let feed = try await list.values.first { @Sendable in !$0.rows.isEmpty }
            print(
                "\(feed?.rows.count ?? 0) rows after \(ContinuousClock.now - began) of main, \(sinceStart()) of the process"
            )
        default:
            try await live(
                list, server, rows: rows, changes: Double(arguments.dropFirst(4).first ?? "60") ?? 60,
                seconds: Double(arguments.dropFirst(5).first ?? "20") ?? 20)
        }
        print("largest memory \(usage().memory / 1024) MiB")
        await client.close()
    }

    private static func live(
        _ list: LiveList<FeedQuery>, _ server: ScriptedServer, rows: Int, changes: Double, seconds: Double
    ) async throws {
        let seen = Seen()
        let watching = Task {
            for try await feed in list.values {
                await seen.take(feed.phase == .live, feed.rows.first?.asThought?.likeCount)
            }
        }
        while await !seen.isLive { try await Task.sleep(for: .milliseconds(5)) }
        let (before, start) = (usage().processor, ContinuousClock.now)
        let count = Int(changes * seconds)
        var late: [Duration] = []
        for number in 1...count {
            try await Task.sleep(until: start.advanced(by: .seconds(Double(number) / changes)), clock: .continuous)
            // Each fourth change moves a row. Each tenth is of the first row and is timed.
            let isTimed = number % 10 == 0
            let row = isTimed ? 0 : 1 + (number * 7919) % (rows - 1)
            let place = !isTimed && number % 4 == 1 ? 10 * ((number * 104_729) % rows) + 5 : 10 * row
            let told = ContinuousClock.now
            await server.tell(
                """
                {"kind":"CHANGED","nodeId":"thought_\(row)","position":"\(ScriptedServer.position(place))",\
                "cursor":"\(number)","node":\(ScriptedServer.row(row, likes: number))}
                """)
            if isTimed {
                while await seen.number != number { try await Task.sleep(for: .microseconds(200)) }
                late.append(ContinuousClock.now - told)
            }
        }
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        late.sort()
        print(
            "\(rows) rows, \(changes) changes a second, \(Int(elapsed)) s:",
            "\(Int(100 * (usage().processor - before) / elapsed)) % of a core,",
            "\(await seen.count) lists shown; a change shows after \(late[late.count / 2]) (median),",
            "\(late[late.count * 99 / 100]) (99 %)")
        watching.cancel()
    }

    /// The processor time in seconds, and the largest resident memory in KiB on Linux.
    private static func usage() -> (processor: Double, memory: Int) {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return (seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss)
    }

    /// The processor time of all threads since the process began, with the loading of the program.
    private static func sinceStart() -> String { "\(Int(usage().processor * 1000)) ms processor time" }
}

actor Seen {
    private(set) var count = 0
    private(set) var isLive = false
    /// The number that the first row has.
    private(set) var number: Int?

    func take(_ isLive: Bool, _ number: Int?) {
        count += 1
        self.isLive = isLive
        self.number = number
    }
}

struct NoCredentials: CredentialStore {
    func load() throws -> Credentials? { nil }
    func save(_ credentials: Credentials?) throws {}
    func loadDeviceTokens() throws -> DeviceTokens { DeviceTokens() }
    func save(_ tokens: DeviceTokens) throws {}
}
