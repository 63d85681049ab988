@testable import App

/// Writing over an object of the given id is for who made it.
extension OwnershipMatrix {
    static let overwrites: [OwnershipCase] = [
        OwnershipCase(
            "createThought", "over ana's",
            input: "id: \"\(worldID(.thought, 0x201))\", category: FUNNY, text: \"x\", onConflict: OVERWRITE",
            ana: .data, ben: .userError("TAKEN id"), mod: .userError("TAKEN id"), zoe: .signUpRequired),
        OwnershipCase(
            "createThought", "over ana's draft",
            input: "id: \"\(worldID(.thought, 0x204))\", category: FUNNY, text: \"x\", onConflict: OVERWRITE",
            ana: .data, ben: .userError("TAKEN id"), mod: .userError("TAKEN id"), zoe: .signUpRequired),
        OwnershipCase(
            "createThought", "over ben's, with an image of ana's",
            input: """
                id: "\(worldID(.thought, 0x202))", category: FUNNY, text: "x", onConflict: OVERWRITE, \
                imageId: "\(worldID(.image, 0x501))"
                """,
            ana: .userError("TAKEN id"), ben: .notFound, mod: .notFound, zoe: .signUpRequired),
        OwnershipCase(
            "createEvent", "over ben's",
            input: """
                id: "\(worldID(.event, 0x301))", name: "x", description: "x", onConflict: OVERWRITE, \
                startsAt: "2099-01-01T10:00:00Z", endsAt: "2099-01-01T11:00:00Z"
                """,
            ana: .userError("TAKEN id"), ben: .data, mod: .userError("TAKEN id"), zoe: .signUpRequired),
        OwnershipCase(
            "addComment", "over ben's",
            input: """
                id: "\(worldID(.comment, 0x401))", subjectId: "\(worldID(.thought, 0x201))", text: "x", \
                onConflict: OVERWRITE
                """,
            ana: .userError("TAKEN id"), ben: .data, mod: .userError("TAKEN id"), zoe: .signUpRequired),
        OwnershipCase(
            "sendMessage", "over ana's",
            input: """
                id: "\(worldID(.message, 0x701))", conversationId: "\(worldID(.conversation, 0x601))", text: "x", \
                onConflict: OVERWRITE
                """,
            ana: .data, ben: .userError("TAKEN id"), mod: .notFound, zoe: .signUpRequired),
    ]
}
