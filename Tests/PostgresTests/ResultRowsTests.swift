import Testing

@testable import Postgres

@Suite struct ResultRowsTests {
    private static func row(_ values: [[UInt8]?]) -> [UInt8] {
        [0, UInt8(values.count)]
            + values.flatMap { value in
                value.map { [0, 0, 0, UInt8($0.count)] + $0 } ?? [0xFF, 0xFF, 0xFF, 0xFF]
            }
    }

    @Test func valuesAreFoundByRowAndColumn() {
        var rows = ResultRows()
        for values in [[[1, 2], nil, []], [[], [3], nil]] as [[[UInt8]?]] {
            #expect(Self.row(values).withUnsafeBytes { rows.append($0) })
        }
        let result = rows.finish(types: [17, 17, 17], affected: 2)
        #expect(result.rows == 2 && result.columns == 3 && result.affected == 2)
        #expect(Array(result.value(0, 0)) == [1, 2] && Array(result.value(1, 1)) == [3])
        #expect(result.cell(0, 1)?.length == -1 && result.cell(0, 2)?.length == 0)
        #expect(result.cell(0, 3) == nil && result.cell(0, -1) == nil && result.value(0, 3).isEmpty)
        // The next statement's rows do not change it.
        #expect(Self.row([[9]]).withUnsafeBytes { rows.append($0) })
        let next = rows.finish(types: [17], affected: 1)
        #expect(next.rows == 1 && Array(next.value(0, 0)) == [9] && Array(result.value(0, 0)) == [1, 2])
    }

    @Test func statementWithoutRowsHasAnEmptyResult() {
        var rows = ResultRows()
        let result = rows.finish(types: [], affected: 5)
        #expect(result.rows == 0 && result.affected == 5 && result.value(0, 0).isEmpty)
    }

    @Test func malformedRowsAreRefused() {
        let whole = Self.row([[1, 2, 3], nil])
        for count in 0..<whole.count {
            var rows = ResultRows()
            #expect(!Array(whole.prefix(count)).withUnsafeBytes { rows.append($0) }, "\(count) bytes")
        }
        var rows = ResultRows()
        #expect([0, 1, 0xFF, 0xFF, 0xFF, 0xFE].withUnsafeBytes { rows.append($0) } == false)
        // A row of another number of columns.
        rows.removeAll()
        #expect(Self.row([[1]]).withUnsafeBytes { rows.append($0) })
        #expect(!Self.row([[1], [2]]).withUnsafeBytes { rows.append($0) })
    }
}
