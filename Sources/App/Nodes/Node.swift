import GraphQL
import Postgres

/// An object with a global id (Relay's Node).
struct Node: AbstractValue {
    let object: any NodeObject

    static let binding: Binding = InterfaceBinding<Node, RequestContext>("Node") { node in
        for type in NodeTypes.all { type.bind(&node) }
    }

    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.load("node") { _, context in
            context.context.nodes([try context.arguments.decode("id")])
        }
        query.load("nodes") { _, context in
            let ids: [String] = try context.arguments.decode("ids")
            guard ids.count <= Page.maximumCount else {
                throw ExecutionError("ids can have \(Page.maximumCount) entries at most.", code: .badUserInput)
            }
            return context.context.nodes(ids.map { TypeID($0) }).map { [$0] }
        }
    }
}

extension NodeObject {
    fileprivate static func bind(_ node: inout AbstractMembers<Node>) { node.member(typeName) { Self(node: $0) } }

    /// The objects of this type among `ids`. nil, without a statement, if `ids` has no id of this type.
    fileprivate static func nodes(_ ids: [TypeID?], _ context: RequestContext) -> Pending<[TypeID: Node]>? {
        let wanted = Set(ids.compactMap { $0?.kind == kind ? $0?.uuid : nil })
        if wanted.isEmpty { return nil }
        return context.start(byID(Array(wanted))).pending.map { objects in
            let pairs = objects.map { (TypeID(kind, $0.id), Node(object: $0)) }
            return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        }
    }
}

extension RequestContext {
    /// The nodes of `ids`, in the same order; nil for an object that does not exist or is not visible. One statement is
    /// sent for each kind among `ids`.
    func nodes(_ ids: [TypeID?]) -> Pending<[Node?]> {
        let pending = NodeTypes.all.compactMap { $0.nodes(ids, self) }
        return Pending {
            var nodes: [TypeID: Node] = [:]
            for kind in pending { nodes.merge(try await kind.value(), uniquingKeysWith: { first, _ in first }) }
            return ids.map { id in id.flatMap { nodes[$0] } }
        }
    }
}
