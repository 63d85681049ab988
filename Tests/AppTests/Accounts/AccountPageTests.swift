import Cryptography
import GraphQL
import Mail
import Testing

@testable import App

/// The pages that the links of mails open.
@Suite struct AccountPageTests {
    private func part(_ page: AccountPage, _ start: String, _ end: String) throws -> String {
        let html = String(decoding: page.html, as: UTF8.self)
        let rest = html[try #require(html.firstRange(of: start)).upperBound...]
        return String(rest[..<(try #require(rest.firstRange(of: end)).lowerBound)])
    }

    @Test(arguments: AccountPage.all.map(\.path)) func runsItsOwnScriptAlone(_ path: String) throws {
        let page = try #require(AccountPage.all.first { $0.path == path })
        let policy = page.contentSecurityPolicy.split(separator: "; ")
        for (directive, tag) in [("script-src", "script"), ("style-src", "style")] {
            let hash = SHA256.digest(of: Array(try part(page, "<\(tag)>", "</\(tag)>").utf8))
            #expect(policy.contains("\(directive) 'sha256-\(Base64.standard.encode(hash.bytes))='"))
        }
        #expect(policy.first == "default-src 'none'")
    }

    /// As the page's script does it: the page's mutation, with the token behind the # and the fields of the form.
    private func submit(
        _ page: AccountPage, _ fields: [String], _ outbox: Outbox, _ world: World
    ) async throws -> Answer {
        let message = try #require(outbox.messages.first)
        let link = try #require(message.text.firstMatch(of: /http:\/\/localhost:8080\/([a-z-]+)#(\S+)/))
        #expect(link.output.1 == page.path)
        let form = try part(page, "<form", "</form>")
        #expect(form.matches(of: /name="(\w+)"/).map { String($0.output.1) } == fields)
        let values = fields.map { (name: $0, value: InputValue.string("a long quiet evening")) }
        let input = InputObject([(name: "token", value: .string(String(link.output.2)))] + values)
        let mutation = try part(page, "data-mutation=\"", "\"")
        // A server with trusted documents runs this text alone.
        #expect(mutation == page.document)
        return try Answer(
            try await world.run(
                mutation, InputObject([(name: "input", value: .object(input))]), world.context(as: .nobody)))
    }

    @Test func confirmsAnAddress() async throws {
        let world = try await World.make()
        let outbox = Outbox()
        let signUp = "{username: \"eve\", email: \"eve@example.org\", password: \"a long way to go\"}"
        #expect(try await world.ask("mutation { signUp(input: \(signUp)) { accessToken } }", as: .nobody).isData)
        #expect(try await MailQueue(world.environment, outbox).sendNext())
        let confirmed = try await submit(.confirmEmail, [], outbox, world)
        #expect(confirmed.text == #"{"data":{"result":{"userErrors":[]}}}"#)
        let again = try await submit(.confirmEmail, [], outbox, world)
        #expect(again.text.contains("This link has been used, or is too old."), "\(again.text)")
        await world.shutdown()
    }

    @Test func resetsAPassword() async throws {
        let world = try await World.make()
        let outbox = Outbox()
        let reset = "requestPasswordReset(input: {email: \"ana@example.org\"})"
        #expect(try await world.ask("mutation { \(reset) { userErrors { code } } }", as: .nobody).isData)
        #expect(try await MailQueue(world.environment, outbox).sendNext())
        let changed = try await submit(.resetPassword, ["newPassword", "newPasswordConfirmation"], outbox, world)
        #expect(changed.text == #"{"data":{"result":{"userErrors":[]}}}"#)
        let signIn = "signIn(input: {login: \"ana\", password: \"a long quiet evening\"})"
        #expect(try await world.ask("mutation { \(signIn) { accessToken userErrors { code } } }", as: .nobody).isData)
        await world.shutdown()
    }
}

extension MailQueue {
    fileprivate init(_ environment: Environment, _ outbox: Outbox) throws {
        self.init(environment, transport: outbox, from: try #require(Mailbox(address: "app@example.org")))
    }
}
