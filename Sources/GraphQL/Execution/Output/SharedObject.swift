/// An object whose values, except those that are `Personal`, are the same for everybody who sees it. All fields of
/// other objects are personal.
public protocol SharedObject: ObjectValue {}
