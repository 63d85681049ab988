import GraphQL

@testable import App

/// An id has one spelling.
func fuzzTypeID(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let id = TypeID(text) else { return }
    precondition(id.description == text, id.description)
}

/// A cursor has one spelling, and belongs to one order.
func fuzzCursor(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    var found = 0
    for order in UInt8.min...UInt8.max {
        guard let order = Cursor.Order(rawValue: order), let cursor = Cursor(text, order: order) else { continue }
        found += 1
        var json = JSONWriter(capacity: 64)
        cursor.write(to: &json)
        precondition(json.bytes == Array("\"\(text)\"".utf8), "\(cursor)")
    }
    precondition(found <= 1)
}
