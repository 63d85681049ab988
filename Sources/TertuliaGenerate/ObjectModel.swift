import GraphQL

/// A struct to be written: what a selection set of the documents becomes.
struct ObjectModel {
    /// The Swift name, without the names of the structs around it.
    var name: String
    var description: String?
    var members: [Member] = []

    struct Member {
        var kind: Kind
        /// The property's name; nil for what the store alone reads.
        var property: String?
        var type: String
        var description: String?
        /// Alternatives, each a list of conditions that all have to hold; empty where the member is always there.
        var conditions: [[Condition]] = []
        var isDeferred = false
        /// True where the field's value may be a signed address (`Schema.isSignedAddress`).
        var isSignedAddress = false

        var isOptional: Bool { !conditions.isEmpty || isDeferred }
    }

    enum Kind {
        case field(Field, object: ObjectModel?)
        /// A fragment by its name, and the possible types to which it is narrowed; nil where it always applies.
        case fragment(name: String, on: Narrowing?)
        /// An inline fragment on a narrower type, or one that is deferred.
        case inline(ObjectModel, on: Narrowing?)
    }

    /// A type condition that not every object meets.
    struct Narrowing {
        var type: String
        var possibleTypes: [String]
    }

    /// `@include` or `@skip` with a variable or a constant.
    struct Condition: Equatable {
        var isSkip: Bool
        var value: String
        var isVariable: Bool
    }

    var hasProperties: Bool { members.contains { $0.property != nil } }
}
