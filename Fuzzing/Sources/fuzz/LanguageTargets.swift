@testable import GraphQL

/// Any bytes are a document or one syntax error at a place within them.
func fuzzParser(_ bytes: [UInt8]) {
    for maxTokens in [nil, 50] {
        do {
            _ = try parse(Source(bytes), options: ParserOptions(maxTokens: maxTokens))
        } catch {
            precondition(error.message.hasPrefix("Syntax Error: "), error.message)
            precondition(error.locations.count == 1)
            check(error.locations, in: bytes)
        }
    }
}

/// What was printed is read as it was meant: it prints the same again.
func fuzzPrinter(_ bytes: [UInt8]) {
    guard let document = try? parse(Source(bytes)) else { return }
    let once = document.printed
    do {
        let twice = try parse(Source(once)).printed
        precondition(once == twice, "printed anew: \(twice)")
    } catch {
        preconditionFailure("\(error.message) in what was printed: \(once)")
    }
}

/// A document against a schema that has everything.
func fuzzValidator(_ bytes: [UInt8]) {
    validate(bytes, against: fixedSchema)
}

/// A schema, a NUL, and a document for it.
func fuzzSchema(_ bytes: [UInt8]) {
    let (first, second) = bytes.halves
    guard let document = try? parse(Source(first), options: ParserOptions(maxTokens: 2_000)),
        let schema = try? buildSchema(document)
    else { return }
    let printed = printSchema(schema)
    do {
        let again = try buildSchema(parse(Source(printed)))
        precondition(printSchema(again) == printed)
    } catch {
        preconditionFailure("\(error) in the schema that was printed: \(printed)")
    }
    validate(second, against: schema)
}

private func validate(_ bytes: [UInt8], against schema: Schema) {
    guard let document = try? parse(Source(bytes), options: ParserOptions(maxTokens: 2_000)) else { return }
    let errors = GraphQL.validate(document, against: schema)
    precondition(errors.count <= 50)
    for error in errors { check(error.locations, in: bytes) }
    guard errors.isEmpty else { return }
    for case .operation(let operation) in document.definitions {
        guard let metrics = QueryMeasure(document, against: schema).metrics(of: operation.name?.value) else {
            preconditionFailure("An operation was not measured.")
        }
        precondition(metrics.depth >= 1 && metrics.cost >= 0)
        _ = QueryLimits().check(metrics)
    }
}

private func check(_ locations: [SourceLocation], in bytes: [UInt8]) {
    let lines = 1 + bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    for location in locations {
        precondition((1...lines).contains(location.line) && (1...(bytes.count + 1)).contains(location.column))
    }
}

let fixedSchema: Schema = {
    do { return try buildSchema(parse(Source(fixedSDL))) } catch { preconditionFailure("\(error)") }
}()

private let fixedSDL = """
    schema { query: Query mutation: Mutation subscription: Subscription }
    directive @note(text: String, of: [Choice!]) repeatable on QUERY | MUTATION | SUBSCRIPTION | FIELD
      | FRAGMENT_DEFINITION | FRAGMENT_SPREAD | INLINE_FRAGMENT | VARIABLE_DEFINITION
    directive @once(if: Boolean!) on FIELD
    scalar Any
    type Query { a(i: Int, f: Float, s: String, b: Boolean, d: ID): T t: T! n: N u: U l(e: [E!], m: [[Int]]): [T!]!
      p(first: Int!, after: ID = "x"): [N] @deprecated o(c: Choice, x: Input!, y: Any): Int }
    type Mutation { a(x: Input): T b: Int }
    type Subscription { s: T e: E }
    interface N { id: ID n: N }
    interface M implements N { id: ID n: N m(e: E): Int }
    type T implements N & M { id: ID n: N m(e: E, i: Int): Int t: T! l: [T] e: E }
    type V implements N { id: ID n: V s: String! e: [E] }
    union U = T | V
    enum E { A B C @deprecated }
    input Input { i: Int! = 1 l: [Input!] c: Choice e: E n: Input s: String @deprecated }
    input Choice @oneOf { a: Int b: String c: Input }
    """
