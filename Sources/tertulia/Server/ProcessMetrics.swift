import FoundationEssentials
import Glibc
import GraphQLTransport
import Postgres

extension MetricRegistry {
    /// The build's version, the start time, and figures of the process, which are read at each scrape.
    /// Source: proc(5), getrusage(2), getrlimit(2)
    func observeProcess() {
        gauge("tertulia_build_info", help: "1, labelled with the build.", labels: [("version", Tertulia.version)]) { 1 }
        counter("tertulia_process_cpu_seconds_total", help: "CPU time, of the user's and the system's side.") {
            var usage = rusage()
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) * 1e-6 }
        }
        gauge("tertulia_process_resident_memory_bytes", help: "Memory in use.") { ProcessStatus.bytes("VmRSS") }
        gauge("tertulia_process_virtual_memory_bytes", help: "Address space in use.") { ProcessStatus.bytes("VmSize") }
        gauge("tertulia_process_threads", help: "Threads.") { ProcessStatus.number("Threads") }
        gauge("tertulia_process_open_fds", help: "Open file descriptors.") {
            Double((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0)
        }
        gauge("tertulia_process_max_fds", help: "The most file descriptors that may be open.") {
            var limits = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
            return Double(limits.rlim_cur)
        }
        let start = Double(Timestamp.now().unixMilliseconds / 1000)
        gauge("tertulia_process_start_timestamp_seconds", help: "When the server started, since 1970.") { start }
    }
}

/// Fields of /proc/self/status.
private enum ProcessStatus {
    static func number(_ field: String) -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(field + ":") } ?? ""
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? .nan
    }

    /// proc(5) counts in KiB.
    static func bytes(_ field: String) -> Double { number(field) * 1024 }
}
