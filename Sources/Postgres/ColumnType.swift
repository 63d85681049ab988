/// The form in which a column is read. A column may have any type that has this form.
public enum ColumnType: UInt8, Sendable {
    case bool, bytea, float8, int2, int4, timestamptz, uuid
    /// An `int8` or `xid8`.
    case int8
    /// A type whose binary form is its text in UTF-8: text, varchar, char, name, json, xml. A value of an enum or of another
    /// type that a database defines is cast to text.
    case text
    case int8Array, textArray, uuidArray

    /// The type's name; for a form that several types have, the name of the first.
    var name: String {
        switch self {
        case .bool: "boolean"
        case .bytea: "bytea"
        case .float8: "double precision"
        case .int2: "smallint"
        case .int4: "integer"
        case .timestamptz: "timestamp with time zone"
        case .uuid: "uuid"
        case .int8: "bigint"
        case .text: "text"
        case .int8Array: "bigint[]"
        case .textArray: "text[]"
        case .uuidArray: "uuid[]"
        }
    }

    /// - Parameter oid: a type of PostgreSQL's catalog `pg_type`.
    func isForm(of oid: UInt32) -> Bool {
        switch self {
        case .bool: oid == PostgresType.bool.oid
        case .bytea: oid == PostgresType.bytea.oid
        case .float8: oid == PostgresType.float8.oid
        case .int2: oid == PostgresType.int2.oid
        case .int4: oid == PostgresType.int4.oid
        case .timestamptz: oid == PostgresType.timestamptz.oid
        case .uuid: oid == PostgresType.uuid.oid
        case .int8: oid == PostgresType.int8.oid || oid == PostgresType.xid8.oid
        case .text: Self.textTypes.contains(oid)
        case .int8Array: oid == PostgresType.int8.arrayOID
        case .textArray: oid == PostgresType.text.arrayOID
        case .uuidArray: oid == PostgresType.uuid.arrayOID
        }
    }

    /// "char", name, text, json, xml, char(n) and varchar. Source: PostgreSQL's `pg_type.dat`
    private static let textTypes: [UInt32] = [18, 19, 25, 114, 142, 1042, 1043]

    /// The name of a type, for a person.
    /// - Parameter oid: 0 for a column that the statement does not have.
    static func name(of oid: UInt32) -> String {
        if oid == 0 { return "absent" }
        let forms: [ColumnType] = [
            .bool, .bytea, .float8, .int2, .int4, .timestamptz, .uuid, .int8, .int8Array, .textArray, .uuidArray,
        ]
        return otherNames[oid] ?? forms.first { $0.isForm(of: oid) }?.name ?? "the type with OID \(oid)"
    }

    /// Source: PostgreSQL's `pg_type.dat`
    private static let otherNames: [UInt32: String] = [
        19: "name", 25: "text", 114: "json", 700: "real", 1042: "character", 1043: "character varying", 1082: "date",
        1114: "timestamp without time zone", 1186: "interval", 1700: "numeric", 3802: "jsonb", 5069: "xid8",
    ]
}
