import ChangeFeed
import GraphQL
import Postgres

extension Image: NodeObject {
    static let typeName = "Image"
    static let kind = TypeID.Kind.image

    static func byID(_ ids: [UUID]) -> ImageNodes { ImageNodes(ids: ids) }

    static func access(to id: UUID) -> SQL {
        """
        select i.id, i.owner_id, false, false, not image_is_public(i.id, i.owner_id) from images i \
        where i.id = \(id) and \(unsafe: isVisible)
        """
    }

    static func concerns(_ viewer: UUID?, _ state: ChangeState) -> Bool { true }

    /// A block does not hide a public image. The log has no rows about images, so no change depends on this.
    static var isHiddenWithOwner: Bool { false }
}
