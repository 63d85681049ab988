import GraphQL
import Postgres

/// The part of a request's context for fields whose value is the same for everybody. It does not tell who the viewer
/// is. Its statements run with the settings of the request. So the policies still hide rows from the viewer, but a row
/// that two viewers see has the same values for both, apart from `Personal` ones. If one execution serves many
/// subscribers, the request has no viewer, and the policies show the rows that everybody may see.
public struct Everybody: Sendable {
    private let context: RequestContext

    fileprivate init(_ context: RequestContext) { self.context = context }

    var environment: Environment { context.environment }

    /// Sends a read at once. The compiler takes only reads of `SharedObject`s, so no field for everybody can load an
    /// object of another type. A `SharedObject` may still have `Personal` values, which differ by viewer.
    func start<S: Statement>(_ statement: S) -> PendingRows<S> where S.Output: SharedObject { context.start(statement) }
}

extension RequestContext {
    public typealias Everybody = App.Everybody

    public var everybody: Everybody { Everybody(self) }
}
