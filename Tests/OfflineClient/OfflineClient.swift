import ClientOperations
import Foundation
import TertuliaClient
import TertuliaClientNIO

/// One client of scripts/test-offline.sh: it keeps the feed, writes at random, and tells what it does in lines of JSON.
/// It is killed at any moment and started again in the same folder.
///
/// Usage: offline-client URL FOLDER NAME SEED PACE [early]. `PACE` is writes a second; `early` stores each cursor some
/// milliseconds before its rows, as a client would that has no transaction for both. On a line `settle` of its input it
/// stops writing, waits until nothing is left to be sent, and tells what it shows whenever that changes.
@main struct OfflineClient {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 6, let url = URL(string: arguments[1]), let seed = UInt64(arguments[4]),
            let pace = Double(arguments[5])
        else {
            FileHandle.standardError.write(Data("Usage: offline-client URL FOLDER NAME SEED PACE [early]\n".utf8))
            exit(2)
        }
        let folder = URL(fileURLWithPath: arguments[2])
        let base = NIOTransport(timeout: .seconds(5))
        let transport: any Transport =
            arguments.dropFirst(6).first == "early" ? EarlyCursors(base, folder: folder) : base
        let client = try await Client(
            url: url, transport: transport,
            credentials: FileCredentialStore(file: folder.appendingPathComponent("credentials")), folder: folder,
            schema: .generated,
            mutations: [
                CreateThoughtMutation.self, LikeThoughtMutation.self, UnlikeThoughtMutation.self,
                DeleteThoughtMutation.self,
            ])
        while await client.session.state.account == nil {
            do { try await client.signIn(login: arguments[3], password: "a long quiet evening") } catch {
                Report.write([("problem", .string("\(error)"))])
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        Report.write([("ready", .boolean(true))])
        let person = Person(client, name: arguments[3], seed: seed, pace: pace)
        async let reading: Void = person.read()
        async let writing: Void = person.write()
        // Reading a line blocks its thread.
        Thread.detachNewThread {
            while let line = readLine() {
                if line == "settle" { Task { await person.settle() } }
            }
        }
        _ = try await (reading, writing)
    }
}

/// What a client tells its driver.
enum Report {
    static func write(_ members: [(String, JSONValue)]) {
        let line = JSONValue.object(JSONObject(members.map { (name: $0.0, value: $0.1) })).jsonText + "\n"
        FileHandle.standardOutput.write(Data(line.utf8))
    }
}
