import ArgumentParser

@main
struct Tertulia: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tertulia",
        abstract: "A GraphQL server for social apps, over PostgreSQL.",
        discussion: "Each setting is a flag and an environment variable: `tertulia config` prints them all.",
        version: version,
        subcommands: [
            Serve.self, Migrate.self, Seed.self, Check.self, Format.self, PrintSchema.self, Config.self, Doctor.self,
            UserCommand.self, Keys.self, Counters.self, Import.self, Generate.self,
        ])

    static let version = "0.1.0"

    static func main() async {
        do {
            // The check comes before the first thread, since a thread that cannot be started ends the process.
            try AddressSpace.check(AddressSpace.limit, AddressSpace.least)
        } catch {
            exit(withError: error)
        }
        await main(nil)
    }
}
