import Testing

@testable import Auth

@Suite struct CommonPasswordsTests {
    @Test func theListIsLongAndSorted() {
        let lines = CommonPasswords.list.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count > 10_000)
        #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }

    @Test func everyLineIsFound() {
        for line in CommonPasswords.list.split(separator: UInt8(ascii: "\n")) {
            #expect(CommonPasswords.contains(String(decoding: line, as: UTF8.self)))
        }
    }

    @Test(arguments: ["\n", "correct horse battery", "footballl", "ootball", "zzzzz-beyond-the-end"])
    func othersAreNot(_ password: String) { #expect(!CommonPasswords.contains(password)) }
}
