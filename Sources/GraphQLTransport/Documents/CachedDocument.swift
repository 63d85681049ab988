import Cryptography
import GraphQL
import Synchronization

/// A valid document, and those of its operations that have been requested so far.
final class CachedDocument<Context: ExecutionContext>: Sendable {
    let document: Document
    /// The SHA-256 of the text, in hexadecimal: the name of the document in logs and persisted queries.
    let hash: String
    let usesIntrospection: Bool
    let heapSize: DocumentHeapSize
    private let text: String
    private let schema: ExecutableSchema<Context>
    private let measure: QueryMeasure
    /// The operation of a document that has only one, as most documents do. It is found without a lock.
    private let onlyOperation: CachedOperation<Context>?
    private let operations = Mutex<[String?: CachedOperation<Context>]>([:])

    init(_ validated: ValidatedDocument, text: String, schema: ExecutableSchema<Context>) {
        let document = validated.document
        self.document = document
        self.text = text
        self.schema = schema
        measure = QueryMeasure(validated)
        hash = SHA256.digest(of: text).hex
        usesIntrospection = document.usesIntrospection
        let heapSize = DocumentHeapSize(
            Self.fixedHeapSize + text.utf8.count + document.heapSize + measure.heapSize)
        self.heapSize = heapSize
        onlyOperation = (try? PreparedOperation(document, operationName: nil, schema: schema)).map {
            [measure, hash] in CachedOperation($0, measure: measure, documentHash: hash, heapSize)
        }
    }

    /// The estimated bytes of everything but the text, the tree and the operations: this object with its locks and
    /// tables, and its entry in the cache.
    private static var fixedHeapSize: Int { 1024 }

    /// Compares byte by byte, since texts that are equal only by Unicode's equivalence may mean different things.
    func hasText(_ other: String) -> Bool {
        var (text, other) = (text, other)
        return text.withUTF8 { text in other.withUTF8 { other in text.elementsEqual(other) } }
    }

    /// Throws a request error if the document has no operation of this name, or has several and `name` is nil.
    func operation(named name: String?) throws(RequestError) -> CachedOperation<Context> {
        if let onlyOperation, name == nil || name == onlyOperation.identity.name { return onlyOperation }
        if let known = operations.withLock({ $0[name] }) { return known }
        let prepared = try PreparedOperation(document, operationName: name, schema: schema)
        let operation = CachedOperation(prepared, measure: measure, documentHash: hash, heapSize)
        operations.withLock { $0[name] = operation }
        return operation
    }
}

/// An operation, and its plans by condition mask and incremental format.
final class CachedOperation<Context: ExecutionContext>: Sendable {
    /// The maximum number of cached plans. It is needed because the number of plans can double with each condition of a
    /// document. Further plans are compiled for each request.
    private static var maxPlans: Int { 16 }

    let prepared: PreparedOperation<Context>
    let identity: IdentifiedOperation
    let summary: OperationSummary
    var type: OperationType { identity.type }
    private let measure: QueryMeasure
    private let withinLimits = Mutex<QueryMetrics?>(nil)
    private let plans = Mutex<[(key: PlanKey, plan: Plan<Context>)]>([])
    private let schemaResponse = Mutex<GraphQL.Response?>(nil)
    private let heapSize: DocumentHeapSize

    private struct PlanKey: Equatable {
        let mask: ConditionMask
        let format: IncrementalFormat?
    }

    /// The estimated bytes of everything but the prepared operation and the plans: this object with its locks and
    /// tables.
    private static var fixedHeapSize: Int { 768 }

    /// - Parameter heapSize: the size of the document, which grows by what the operation holds.
    init(
        _ prepared: PreparedOperation<Context>, measure: QueryMeasure, documentHash: String,
        _ heapSize: DocumentHeapSize
    ) {
        self.heapSize = heapSize
        self.prepared = prepared
        self.measure = measure
        identity = IdentifiedOperation(
            type: prepared.operation.operation, name: prepared.operation.name?.value, documentHash: documentHash)
        summary = OperationSummary(operation: identity)
        heapSize.grow(by: Self.fixedHeapSize + prepared.heapSize)
    }

    /// The metrics of the operation with these variables.
    func metrics(for variables: [String: InputValue]) -> QueryMetrics? {
        measure.metrics(of: identity.name, variables: variables)
    }

    /// Throws a request error if the metrics exceed the limits.
    func check(_ metrics: QueryMetrics, _ limits: QueryLimits) throws(RequestError) {
        if withinLimits.withLock({ $0 == metrics }) { return }
        let errors = limits.check(metrics)
        if !errors.isEmpty { throw RequestError(errors) }
        withinLimits.withLock { $0 = metrics }
    }

    /// The response to an operation that selects nothing but the schema. It is executed once, and then kept as bytes.
    /// - Parameter extensions: the extensions of the response.
    /// - Returns: nil for every other operation, for an operation with variables, and for a response with extensions.
    func schemaResponse(_ plan: Plan<Context>, context: Context, extensions: InputObject) -> GraphQL.Response? {
        guard plan.introspection?.isWholeAnswer == true, extensions.fields.isEmpty,
            prepared.operation.variableDefinitions.isEmpty
        else { return nil }
        if let known = schemaResponse.withLock({ $0 }) { return known }
        guard let response = executeWithoutWaiting(plan, variables: [:], context: context) else { return nil }
        let isKept = schemaResponse.withLock { kept in
            defer { kept = response }
            return kept == nil
        }
        if isKept { heapSize.grow(by: response.body.count) }
        return response
    }

    /// The plan for these variables, cached or compiled.
    /// - Parameter format: the format of a response in several parts.
    func plan(
        for variables: [String: InputValue], format: IncrementalFormat?
    ) throws(RequestError) -> Plan<Context> {
        if !prepared.hasConditions, !prepared.isIncremental, let only = plans.withLock({ $0.first?.plan }) {
            return only
        }
        let key = PlanKey(mask: try prepared.mask(for: variables), format: prepared.isIncremental ? format : nil)
        if let known = plans.withLock({ plans in plans.first { $0.key == key }?.plan }) { return known }
        let plan = try prepared.plan(for: key.mask, format: key.format)
        let isKept = plans.withLock { plans in
            // Another request may have compiled the same plan meanwhile.
            guard plans.count < Self.maxPlans, !plans.contains(where: { $0.key == key }) else { return false }
            plans.append((key, plan))
            return true
        }
        if isKept { heapSize.grow(by: plan.heapSize) }
        return plan
    }
}

extension Document {
    /// True where `__schema` or `__type` is selected anywhere.
    fileprivate var usesIntrospection: Bool {
        var pending = [SelectionSet]()
        for definition in definitions {
            switch definition {
            case .operation(let operation): pending.append(operation.selectionSet)
            case .fragment(let fragment): pending.append(fragment.selectionSet)
            default: continue
            }
        }
        while let set = pending.popLast() {
            for selection in set.selections {
                switch selection {
                case .field(let field):
                    if field.name.value == "__schema" || field.name.value == "__type" { return true }
                    if let below = field.selectionSet { pending.append(below) }
                case .inlineFragment(let fragment): pending.append(fragment.selectionSet)
                case .fragmentSpread: continue
                }
            }
        }
        return false
    }
}
