import Postgres
import Testing

@testable import App

/// An id with the number of one's own image and the prefix of another type names no image.
@Suite struct ImageReferenceTests {
    @Test(arguments: [
        ("updateThought", "id: \"\(worldID(.thought, 0x201))\", imageId: ", Person.ana, 0x501 as UInt64),
        ("updateEvent", "id: \"\(worldID(.event, 0x301))\", imageId: ", .ben, 0x502),
        ("updateProfile", "avatarId: ", .ana, 0x501),
    ])
    func thePrefixIsChecked(mutation: String, input: String, person: Person, image: UInt64) async throws {
        let world = try await World.make()
        func set(_ kind: TypeID.Kind) async throws -> Answer {
            let text = "mutation { \(mutation)(input: {\(input)\"\(worldID(kind, image))\"}) { userErrors { code } } }"
            return try await world.ask(text, as: person)
        }
        #expect(try await set(.event).code == "NOT_FOUND")
        #expect(try await set(.image).isData)
        await world.shutdown()
    }
}
