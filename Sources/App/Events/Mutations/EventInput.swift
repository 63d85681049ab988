import GraphQL
import Postgres

/// A mutation that returns the event that it wrote.
protocol EventMutation: Mutation where Object == Event {}

extension EventMutation {
    static func replay(_ outcome: MutationOutcome) -> SQL? { EventsByID(ids: [outcome.id]).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Event? { row.map { Event(row: $0) } }
}

extension Event {
    /// In grapheme clusters.
    static let nameLength = 1...100
    static let descriptionLength = 1...140
    static let locationLength = 200

    /// The event if the viewer owns it. The id of somebody else's event is the user error TAKEN.
    static func createdByViewer(_ id: UUID) -> SQL {
        """
        select \(unsafe: columns) from (select) as one \
        left join events e on e.id = \(id) and e.author_id = viewer_id() \
        where e.id is not null or refuse('USER_ERRORS', 'TAKEN id')
        """
    }

    /// The event if the viewer owns it; else NOT_FOUND, or FORBIDDEN if the viewer sees it.
    static func ownedByViewer(_ id: UUID) -> SQL {
        """
        select \(unsafe: columns) from (select) as one left join events e on e.id = \(id) \
        and \(isVisible) where case when e.id is null then refuse('NOT_FOUND') \
        when e.author_id <> viewer_id() then refuse('FORBIDDEN') else true end
        """
    }

    static func visibleToViewer(_ id: UUID) -> SQL {
        """
        select \(unsafe: columns) from (select) as one left join events e on e.id = \(id) \
        and \(isVisible) where e.id is not null or refuse('NOT_FOUND')
        """
    }
}

extension UserError {
    static let endsBeforeStart =
        UserError(stored: "ENDS_BEFORE_START endsAt") ?? UserError(.endsBeforeStart, "", "endsAt")
}

extension InputText {
    /// The name if it is formed like an IANA time zone's; nil if none was given, or if it is malformed, which is an
    /// error. Whether the zone exists is checked by the write, in PostgreSQL.
    mutating func timeZone(_ name: String?) -> String? {
        guard let name = name?.trimmed, !name.isEmpty else { return nil }
        let isWellFormed =
            name.utf8.count <= 64
            && name.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                    UInt8(ascii: "/"):
                    true
                default: false
                }
            }
        guard isWellFormed else {
            if let error = UserError(stored: "INVALID timeZone") { add(error) }
            return nil
        }
        return name
    }
}
