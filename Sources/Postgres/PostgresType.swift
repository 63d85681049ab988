/// The object identifiers of a type and of its array type. Source: PostgreSQL's catalog `pg_type`.
public struct PostgresType: Sendable, Hashable {
    public let oid: UInt32
    public let arrayOID: UInt32

    @inlinable
    public init(oid: UInt32, arrayOID: UInt32) {
        self.oid = oid
        self.arrayOID = arrayOID
    }

    public static let bool = PostgresType(oid: 16, arrayOID: 1000)
    public static let bytea = PostgresType(oid: 17, arrayOID: 1001)
    public static let int8 = PostgresType(oid: 20, arrayOID: 1016)
    public static let int2 = PostgresType(oid: 21, arrayOID: 1005)
    public static let int4 = PostgresType(oid: 23, arrayOID: 1007)
    public static let text = PostgresType(oid: 25, arrayOID: 1009)
    public static let float8 = PostgresType(oid: 701, arrayOID: 1022)
    public static let timestamptz = PostgresType(oid: 1184, arrayOID: 1185)
    public static let uuid = PostgresType(oid: 2950, arrayOID: 2951)
    public static let jsonb = PostgresType(oid: 3802, arrayOID: 3807)
    public static let xid8 = PostgresType(oid: 5069, arrayOID: 271)
}
