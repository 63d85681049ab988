import GraphQLTransport
import Testing

struct MetricRegistryTests {
    @Test func writesCountersAndGauges() {
        let registry = MetricRegistry()
        registry.counter("a_total", help: "A\\B\nC.", labels: [("x", "1\"2")]).increment(by: 3)
        registry.counter("a_total", help: "A.", labels: [("x", "2")]).increment()
        let gauge = registry.gauge("b", help: "B.")
        gauge.increment()
        gauge.increment()
        gauge.decrement()
        registry.gauge("c", help: "C.") { 0.25 }
        #expect(
            registry.text == """
                # HELP a_total A\\\\B\\nC.
                # TYPE a_total counter
                a_total{x="1\\"2"} 3
                a_total{x="2"} 1
                # HELP b B.
                # TYPE b gauge
                b 1
                # HELP c C.
                # TYPE c gauge
                c 0.25

                """)
    }

    @Test func readsMembersAndHistograms() {
        let registry = MetricRegistry()
        registry.counters("e_total", help: "E.") { [([("w", "x")], 2), ([("w", "y")], 3)] }
        registry.gauges("f", help: "F.") { [] }
        registry.histogram("g_seconds", help: "G.", labels: [("p", "q")], bounds: [0.5, 1]) { ([2, 0, 1], 4.25) }
        #expect(
            registry.text == """
                # HELP e_total E.
                # TYPE e_total counter
                e_total{w="x"} 2
                e_total{w="y"} 3
                # HELP f F.
                # TYPE f gauge
                # HELP g_seconds G.
                # TYPE g_seconds histogram
                g_seconds_bucket{p="q",le="0.5"} 2
                g_seconds_bucket{p="q",le="1"} 2
                g_seconds_bucket{p="q",le="+Inf"} 3
                g_seconds_sum{p="q"} 4.25
                g_seconds_count{p="q"} 3

                """)
    }

    @Test func writesHistograms() {
        let registry = MetricRegistry()
        let histogram = registry.histogram("d_seconds", help: "D.", labels: [("t", "q")], bounds: [0.001, 0.5, 1])
        for duration in [Duration.microseconds(500), .milliseconds(1), .milliseconds(700), .seconds(3)] {
            histogram.observe(duration)
        }
        #expect(
            registry.text == """
                # HELP d_seconds D.
                # TYPE d_seconds histogram
                d_seconds_bucket{t="q",le="0.001"} 2
                d_seconds_bucket{t="q",le="0.5"} 2
                d_seconds_bucket{t="q",le="1"} 3
                d_seconds_bucket{t="q",le="+Inf"} 4
                d_seconds_sum{t="q"} 3.7015
                d_seconds_count{t="q"} 4

                """)
    }
}
