/// A rule of a mapping: the objects into which the documents of one path are turned.
struct MappingRule: Equatable {
    enum Target: String, CaseIterable {
        case account, thought, event, comment, likes, saves, ratings, rsvps
        /// The documents are left out on purpose.
        case ignore

        var isAct: Bool {
            switch self {
            case .likes, .saves, .ratings, .rsvps: true
            case .account, .thought, .event, .comment, .ignore: false
            }
        }

        var required: Set<FieldName> {
            switch self {
            case .account, .ignore: []
            case .thought: [.author, .text, .createdAt]
            case .event: [.author, .name, .description, .startsAt, .endsAt]
            case .comment: [.author, .text, .createdAt]
            case .likes, .saves, .rsvps: [.person]
            case .ratings: [.person, .stars]
            }
        }

        var optional: Set<FieldName> {
            switch self {
            case .account: [.uid, .username, .displayName, .bio, .avatar]
            case .thought: [.each, .id, .category, .title, .image, .published, .updatedAt]
            case .event: [.each, .id, .location, .image, .timeZone, .createdAt]
            case .comment: [.each, .id, .on]
            case .likes, .saves, .ratings: [.each, .on, .createdAt]
            case .rsvps: [.each, .on, .status, .createdAt]
            case .ignore: []
            }
        }
    }

    enum FieldName: String, CaseIterable {
        case each, id, on, uid, author, person, username, displayName, bio, avatar, category, title, text, image
        case published, name, description, location, timeZone, startsAt, endsAt, createdAt, updatedAt, stars, status
    }

    let path: PathPattern
    let target: Target
    let fields: [FieldName: FieldRule]
    /// The parts of a document that the fields are read from.
    let read: ReadFields

    init(path: PathPattern, target: Target, fields: [FieldName: FieldRule]) {
        self.path = path
        self.target = target
        self.fields = fields
        read = ReadFields(of: fields)
    }

    /// The segment by which templates refer to the name of the element that `each` is at: `{item}`.
    static let item = "item"
}
