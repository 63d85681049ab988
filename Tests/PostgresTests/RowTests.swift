import Postgres
import Testing

@Suite struct RowTests {
    @Test func everyTypeComesBack() async throws {
        let id = UUID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
        let bytes: [UInt8] = [0, 255, 10, 92]
        try await withPool { pool in
            let count = try await pool.run(
                Query(
                    """
                    select \(Int16.min), \(Int32.min), \(Int64.min), \(Int.max), \(true), \(false), \(-0.1),
                        \("héllo 🎈"), \(""), \(id), \(Timestamp(microseconds: -7)), \(bytes), \([] as [UInt8])
                    """
                ) { row in
                    #expect(row.int16(0) == .min && row.int32(1) == .min && row.int64(2) == .min)
                    #expect(row.int64(3) == .max && row.bool(4) && !row.bool(5) && row.double(6) == -0.1)
                    #expect(row.string(7) == "héllo 🎈" && row.text(7).count == 11)
                    #expect(row.text(8).isEmpty && !row.isNull(8))
                    #expect(row.uuid(9) == id && row.timestamp(10) == Timestamp(microseconds: -7))
                    #expect(row.bytes(11) == bytes && row.bytes(12) == [])
                }
            ).count
            #expect(count == 1)
        }
    }

    @Test func nullComesBack() async throws {
        try await withPool { pool in
            let count = try await pool.run(
                Query(
                    """
                    select \(nil as Int16?), \(nil as Int32?), \(nil as Int?), \(nil as Bool?), \(nil as Double?),
                        \(nil as String?), \(nil as UUID?), \(nil as Timestamp?), \(nil as [UInt8]?), \(nil as [UUID]?)
                    """
                ) { row in
                    for column in 0..<10 { #expect(row.isNull(column)) }
                    #expect(row.int16(optional: 0) == nil && row.int32(optional: 1) == nil)
                    #expect(row.int64(optional: 2) == nil && row.bool(optional: 3) == nil)
                    #expect(row.double(optional: 4) == nil && row.text(optional: 5) == nil)
                    #expect(row.string(optional: 5) == nil && row.uuid(optional: 6) == nil)
                    #expect(row.timestamp(optional: 7) == nil && row.bytes(optional: 8) == nil)
                }
            ).count
            #expect(count == 1)
        }
    }

    @Test func optionalsThatAreThere() async throws {
        try await withPool { pool in
            let rows = try await pool.run(
                Query("select \(5 as Int?), \("x" as String?)") { ($0.int64(optional: 0), $0.string(optional: 1)) })
            #expect(rows[0].0 == 5 && rows[0].1 == "x")
        }
    }

    @Test func arraysComeBack() async throws {
        let ids = [UUID(high: 1, low: 2), UUID(high: 3, low: 4)]
        try await withPool { pool in
            let count = try await pool.run(
                Query("select \(ids), \(["a", "", "ü"]), \([1, -2]), \([] as [UUID]), array['x', null, 'y']") { row in
                    #expect(row.uuids(0) == ids)
                    #expect(row.texts(1).map(String.init) == ["a", "", "ü"])
                    #expect(row.int64s(2) == [1, -2])
                    #expect(row.uuids(3) == [])
                    #expect(row.texts(4).map(String.init) == ["x", "y"])
                }
            ).count
            #expect(count == 1)
            let chosen = try await pool.run(
                Query("select n from generate_series(1, 9) n where n = any(\([2, 7]))") { $0.int32(0) })
            #expect(chosen == [2, 7])
        }
    }

    @Test func textKeepsItsResultAlive() async throws {
        let text = try await withPool { pool in
            try await pool.run(Query("select repeat('ab', 1000)") { $0.text(0) })[0]
        }
        #expect(String(text) == String(repeating: "ab", count: 1000))
    }

    @Test func largeValues() async throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await withPool(connections: 1) { pool in
            let pending = (0..<4).map { _ in pool.start(Query("select \(bytes)") { $0.bytes(0) }) }
            for pending in pending {
                let rows = try await pending.value
                #expect(rows == [bytes])
            }
        }
    }
}
