import GraphQL
import Postgres

extension Event {
    /// In grapheme clusters.
    static let nameLength = 1...100
    static let descriptionLength = 1...140
    static let locationLength = 200

    /// The event, if the viewer owns it; an id that somebody else's event has is taken.
    static func createdByViewer(_ id: UUID) -> SQL {
        """
        select \(unsafe: columns) from (select) as one \
        left join events e on e.id = \(id) and e.author_id = viewer_id() \
        where e.id is not null or refuse('TAKEN', 'id')
        """
    }

    /// The event, if the viewer owns it.
    static func ownedByViewer(_ id: UUID) -> SQL {
        """
        select \(unsafe: columns) from (select) as one left join events e on e.id = \(id) \
        where case when e.id is null then refuse('NOT_FOUND') \
        when e.author_id <> viewer_id() then refuse('FORBIDDEN') else true end
        """
    }

    static func visibleToViewer(_ id: UUID) -> SQL {
        """
        select \(unsafe: columns) from (select) as one left join events e on e.id = \(id) \
        where e.id is not null or refuse('NOT_FOUND')
        """
    }
}

extension InputText {
    /// The form of an IANA time zone's name; whether the zone exists, the write asks PostgreSQL.
    mutating func timeZone(_ name: String?) -> String? {
        guard let name = name?.trimmed, !name.isEmpty else { return nil }
        let isWellFormed = name.utf8.count <= 64 && name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "/"):
                true
            default: false
            }
        }
        if !isWellFormed { add(UserError(.invalid, "This is no IANA time zone, such as Europe/Madrid.", "timeZone")) }
        return name
    }
}
