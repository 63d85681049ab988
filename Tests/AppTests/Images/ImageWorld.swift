import GraphQL
import Testing

@testable import App

extension World {
    /// A mutation with a file as the variable `file`.
    func send(_ field: String, _ file: [UInt8], as person: Person) async throws -> Answer {
        let upload = Upload(filename: "x", contentType: nil, bytes: file)
        let text = try await run(
            "mutation ($file: Upload!) { \(field) }", InputObject([(name: "file", value: .upload(upload))]), as: person)
        return try Answer(text)
    }

    /// The new image's id.
    func upload(_ file: [UInt8] = SamplePNG().bytes, as person: Person) async throws -> String {
        let answer = try await send(
            "uploadImage(file: $file) { image { id } userErrors { code field } }", file, as: person)
        return try #require(answer.string("uploadImage", "image", "id"), "\(answer.text)")
    }

    /// The images' age, as if it were so many days later.
    func wait(days: Int) async throws {
        try await execute(script: "update images set check_at = check_at - interval '\(days) days 1 second'")
    }

    /// What the address shows to somebody who knows nothing else.
    func file(at address: String) async throws -> ImageFile? {
        let parts = address.split(separator: "?")
        let query = parts.dropFirst().first?.split(separator: "&").compactMap { $0.split(separator: "=").last } ?? []
        return try await environment.imageFile(
            id: String(try #require(parts.first?.split(separator: "/").last)),
            expires: query.first.map(String.init), signature: query.last.map(String.init))
    }
}

/// Pictures that differ in one number.
func picture(_ number: Int) -> [UInt8] {
    SamplePNG(ancillary: [SamplePNG.chunk("gAMA", SamplePNG.big32(number))]).bytes
}
