import GraphQL
import Postgres

enum ImageBindings {
    static func mutation(_ mutation: inout ObjectFields<Root, RequestContext>) {
        mutation.mutation(UploadImage.self)
        mutation.mutation(DeleteImage.self)
    }

    /// All parents are the viewer's account, because no other account can be read as a `Viewer`.
    static func viewer(_ viewer: inout ObjectFields<ViewerAccount, RequestContext>) {
        viewer.load("storage") { viewers, context in
            context.context.start(StorageOfViewer(quota: context.context.environment.limits.imageQuota)).pending
                .map { rows in viewers.compactMap { _ in rows.first } }
        }
        viewer.load("images") { viewers, context in
            try context.context.storedImages(context.arguments).map { images in viewers.map { _ in images } }
        }
    }

    static let types: [Binding] =
        [Image.binding, StorageUsage.binding, payload, deletePayload] + StoredImage.bindings

    private static let payload: Binding = ObjectBinding<Payload<Image>, RequestContext>("ImagePayload") {
        $0.field("image", \.object)
        $0.payloadFields()
    }

    private static let deletePayload: Binding = ObjectBinding<Payload<Deleted>, RequestContext>("DeleteImagePayload") {
        $0.field("deletedId") { $0.object?.id }
        $0.viewerField()
        $0.payloadFields()
    }
}

/// The bytes that the viewer's images take, and the viewer's quota.
struct StorageUsage: ObjectValue {
    let usedBytes: Int32
    let quotaBytes: Int32

    static let binding: Binding = ObjectBinding<StorageUsage, RequestContext>("StorageUsage") { usage in
        usage.field("usedBytes", \.usedBytes)
        usage.field("quotaBytes", \.quotaBytes)
    }
}

struct StorageOfViewer: Statement {
    let quota: Int

    var sql: SQL { "select viewer_image_bytes()" }

    func decode(_ row: Row) -> StorageUsage {
        StorageUsage(usedBytes: Int32(clamping: row.int64(0)), quotaBytes: Int32(clamping: quota))
    }
}
