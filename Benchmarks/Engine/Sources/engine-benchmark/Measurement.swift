/// Prints how long `work` takes: the best of 500 rounds of two milliseconds, so that what else runs does not count.
func measure<Result>(_ name: String, _ work: () throws -> Result) rethrows {
    let clock = ContinuousClock()
    var best = Duration.seconds(3600)
    for _ in 0..<500 {
        let start = clock.now
        var count = 0
        repeat {
            _ = try work()
            count += 1
        } while clock.now - start < .milliseconds(2)
        best = min(best, (clock.now - start) / count)
    }
    let microseconds = Double(best.components.attoseconds) / 1e12 + Double(best.components.seconds) * 1e6
    print("\(name): \((microseconds * 100).rounded() / 100) µs")
}
