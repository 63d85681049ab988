import App
import GraphQLTransport

extension MetricRegistry {
    /// The use and the limits of caches and of password hashing, the runs of the work in the background, and the queues
    /// in the database as `QueueWatch` read them last.
    func observe(_ environment: App.Environment, _ images: ImageCache, _ queues: LatestQueueDepths) {
        gauge("image_cache_bytes", help: "Bytes of images in memory.") { Double(images.byteCount) }
        gauge("image_cache_limit_bytes", help: "Bytes of images that may be in memory.") { Double(images.capacity) }
        counters("image_cache_lookups_total", help: "Look-ups in the images in memory.") {
            let (hits, misses) = images.lookups
            return [([("result", "hit")], Double(hits)), ([("result", "miss")], Double(misses))]
        }
        let tokens = environment.verifiedTokens
        gauge("token_cache_bytes", help: "Bytes of verified access tokens in memory.") { Double(tokens.size) }
        gauge("token_cache_limit_bytes", help: "Bytes of verified access tokens that may be in memory.") {
            Double(tokens.capacity)
        }

        let passwords = environment.passwords
        gauge("password_hashes_running", help: "Password hashes that are computed.") {
            Double(passwords.statistics.running)
        }
        gauge("password_hashes_running_limit", help: "Password hashes that may be computed at once.") {
            Double(passwords.statistics.runningLimit)
        }
        gauge("password_hashes_waiting", help: "Password hashes that wait for a thread.") {
            Double(passwords.statistics.waiting)
        }
        gauge("password_hashes_waiting_limit", help: "Password hashes that may wait.") {
            Double(passwords.statistics.waitingLimit)
        }
        counter("password_hashes_refused_total", help: "Password hashes that had no room to wait, or waited too long.")
        {
            Double(passwords.statistics.refused)
        }

        let background = environment.backgroundFigures
        counters("background_runs_total", help: "Runs of work in the background.") {
            background.all.map { ([("work", $0.name)], Double($0.runs)) }
        }
        counters("background_failures_total", help: "Runs of work in the background that failed.") {
            background.all.map { ([("work", $0.name)], Double($0.failures)) }
        }
        gauges("queue_length", help: "Rows of the queues in the database, at most 10000, of all servers together.") {
            queues.all.map { ([("queue", $0.queue)], Double($0.length)) }
        }
        gauges("queue_overdue_seconds", help: "Seconds since the oldest row of the queue was due.") {
            queues.all.map { ([("queue", $0.queue)], $0.overdue) }
        }
    }
}
