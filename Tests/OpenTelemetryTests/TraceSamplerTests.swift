import OpenTelemetry
import Testing

@Suite struct TraceSamplerTests {
    @Test func followsTheCaller() {
        let none = TraceSampler(ratio: 0)
        let all = TraceSampler(ratio: 1)
        #expect(none.samples(callerSamples: true, second: 1))
        #expect(!all.samples(callerSamples: false, second: 1))
        #expect(!none.samples(callerSamples: nil, second: 1))
        #expect(all.samples(callerSamples: nil, second: 1))
    }

    @Test func samplesItsShare() {
        let sampler = TraceSampler(ratio: 0.01)
        let sampled = (0..<200_000).count { _ in sampler.samples(callerSamples: nil, second: 1) }
        // The standard deviation is 44.5. Fewer than one run in 10^9 lies outside of 300.
        #expect((1_700...2_300).contains(sampled))
        #expect(sampler.sampled == sampled)
    }

    @Test func limitsCallers() {
        let sampler = TraceSampler(ratio: 0, callersTracesPerSecond: 3)
        let first = (0..<5).map { _ in sampler.samples(callerSamples: true, second: 7) }
        #expect(first == [true, true, true, false, false])
        #expect(sampler.samples(callerSamples: true, second: 8))
        #expect(sampler.sampled == 4)
        #expect(sampler.declined == 2)
    }
}
