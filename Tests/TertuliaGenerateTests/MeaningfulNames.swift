import GraphQL
import TertuliaGenerate

/// Names that mean something in Swift, in generated code or in the client.
enum MeaningfulNames {
    /// Source: The Swift Programming Language, Keywords and Punctuation
    static let keywords = words(
        """
        associatedtype borrowing class consuming deinit enum extension fileprivate func import init inout internal let
        nonisolated open operator precedencegroup private protocol public rethrows static struct subscript typealias var
        break case catch continue default defer do else fallthrough for guard if in repeat return switch throw where while
        Any as await false is nil self Self super throws true try
        actor any associativity async convenience didSet dynamic each final get indirect infix isolated lazy left macro
        mutating none nonmutating optional override package postfix precedence prefix Protocol required right sending set
        some Type unowned unsafe weak willSet yield
        """)

    /// The names in a file that has each kind of declaration, without those of its schema and its documents.
    static let usedByGeneratedCode: [String] = {
        let schema = """
            scalar Qscalar @specifiedBy(url: "https://scalars.graphql.org/andimarek/date-time.html")
            scalar Qfile @specifiedBy(url: "https://github.com/jaydenseric/graphql-multipart-request-spec")
            scalar Qjson
            enum Qenum { QA }
            input Qinput { qa: Qenum! = QA qb: Float qc: Boolean qd: Int qe: Qfile qf: Qone }
            input Qone @oneOf { qg: String qh: [Qjson] }
            interface Node { id: ID! }
            type Query { changeCursor: String node(id: ID!): Node qlist(after: String, qwith: Qinput): Qlist }
            type Qlist { edges: [Qedge!]! pageInfo: Qinfo! }
            type Qinfo { hasNextPage: Boolean! endCursor: String }
            type Qedge { cursor: String! node: Qnode }
            type Qnode implements Node { id: ID! qtime: Qscalar qjson: Qjson qenum: Qenum qnode(qi: Int): Qnode }
            type Mutation { qwrite(with: Qinput): Qnode }
            type Subscription { qchanges(after: String): Qchange! }
            type Qchange { kind: String! nodeId: ID! cursor: String! node: Qnode }
            """
        let document = """
            query Qq($after: String, $qwith: Qinput, $qif: Boolean!) {
              changeCursor
              qlist(after: $after, qwith: $qwith) @live(changes: "Qc") {
                edges { cursor node { ...Qrow } } pageInfo { hasNextPage endCursor }
              }
              node(id: 1) { ... on Qnode { qenum qnode(qi: 1) @include(if: $qif) { qjson } ... @defer(label: "ql") { qtime } } }
            }
            subscription Qc($after: String) { qchanges(after: $after) { kind nodeId cursor node { ...Qrow } } }
            mutation Qm($qwith: Qinput) { qwrite(with: $qwith) { qtime } }
            fragment Qrow on Qnode { qtime }
            """
        guard let generated = try? generateSwift(schema: [Source(schema)], documents: [Source(document)]) else {
            return []
        }
        let code = generated.source.replacing(/#"""[\s\S]*?"""#|"[^"\n]*"/, with: "").replacing(/\/\/[^\n]*/, with: "")
        return words(code).filter { !$0.lowercased().hasPrefix("q") && !$0.lowercased().hasPrefix("asq") }
    }()

    /// The members of the protocols and types from which generated code is made.
    static let declaredByTheClient: [String] = {
        guard let sources = try? Repository.text("Sources/TertuliaClient/Operations") else { return [] }
        return sources.matches(
            of:
                /(?m)^(?:    )?(?:public )?(?:static |mutating |indirect )*(?:var|let|func|struct|enum|protocol|typealias|associatedtype|case) (\w+)/
        ).map { String($0.1) }
    }()

    private static let plain =
        keywords + usedByGeneratedCode + declaredByTheClient
        + words(
            """
            AllCases BooleanLiteralType Equatable Error ExtendedGraphemeClusterType FloatLiteralType Foundation
            IntegerLiteralType RawValue StringLiteralType UnicodeScalarType change description hashValue live variables
            """)

    /// Each name as it is, with a capital and with a small first letter; some with underscores or in capitals.
    static let all: [String] = {
        let forms = plain.flatMap { name in
            [name, name.prefix(1).uppercased() + name.dropFirst(), name.prefix(1).lowercased() + name.dropFirst()]
        }
        // GraphQL keeps names with two underscores before them for itself.
        return Set(forms + words("_ _1 a1 _self self_ _Self _data data_ _Data Data_ DATA SELF TYPE"))
            .filter { !$0.hasPrefix("__") }.sorted()
    }()

    /// The names as values of an enum: `ALL_CASES`.
    static let capitals = plain.map { name in
        name.replacing(/([a-z0-9])([A-Z])/) { "\($0.1)_\($0.2)" }.uppercased()
    }

    private static func words(_ text: String) -> [String] {
        text.matches(of: /[A-Za-z_]\w*/).map { String($0.output) }
    }
}
