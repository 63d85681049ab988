@_spi(Testing) import Postgres

/// Single rows, for tests.
extension Rows: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(position: Int) -> Row { row(at: position) }
}
