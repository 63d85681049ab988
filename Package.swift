// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// An app's Xcode sees these alone: the server's need libpq and OpenSSL, which iOS does not have.
let clientTargets: [Target] = [
    .target(name: "GraphQL", swiftSettings: strict),
    .testTarget(name: "GraphQLTests", dependencies: ["GraphQL", "TestSupport"], swiftSettings: strict),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),

    .target(name: "ClientDocuments", swiftSettings: strict),

    .target(name: "TertuliaGenerate", dependencies: ["ClientDocuments", "GraphQL"], swiftSettings: strict),
    .executableTarget(
        name: "tertulia-generate", dependencies: ["GraphQL", "TertuliaGenerate"], swiftSettings: strict),
    .testTarget(
        // Generated code is compiled against the built client.
        name: "TertuliaGenerateTests",
        dependencies: ["ClientDocuments", "GraphQL", "TertuliaClient", "TertuliaGenerate", "TestSupport"],
        swiftSettings: strict),
    .plugin(name: "GenerateOperations", capability: .buildTool(), dependencies: ["tertulia-generate"]),

    .target(
        name: "TertuliaClient",
        dependencies: ["ClientDocuments", "GraphQL", .product(name: "GRDB", package: "GRDB.swift")],
        swiftSettings: strict),
    .target(
        name: "ClientOperations", dependencies: ["TertuliaClient", "TestSupport"], path: "Tests/ClientOperations",
        exclude: ["feed.graphql", "thoughts.graphql"], swiftSettings: strict),
    .testTarget(
        name: "TertuliaClientTests",
        dependencies: [
            "ClientDocuments", "ClientOperations", "TertuliaClient", "TestSupport",
            .product(name: "GRDB", package: "GRDB.swift"),
        ],
        swiftSettings: strict),

    .target(
        name: "TertuliaClientNIO",
        dependencies: [
            "TertuliaClient", .product(name: "AsyncHTTPClient", package: "async-http-client"),
            .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
            .product(name: "NIOWebSocket", package: "swift-nio"),
        ],
        swiftSettings: strict),
]

let clientProducts: [Product] = [
    .library(name: "GraphQL", targets: ["GraphQL"]),
    .library(name: "TertuliaClient", targets: ["TertuliaClient"]),
    .library(name: "TertuliaClientNIO", targets: ["TertuliaClientNIO"]),
    .executable(name: "tertulia-generate", targets: ["tertulia-generate"]),
    .plugin(name: "GenerateOperations", targets: ["GenerateOperations"]),
]

let clientDependencies: [Package.Dependency] = [
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
]

let serverProducts: [Product] = [
    .library(name: "GraphQLTransport", targets: ["GraphQLTransport"]),
    .library(name: "App", targets: ["App"]),
    .executable(name: "tertulia", targets: ["tertulia"]),
]

let serverDependencies: [Package.Dependency] = [
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
]

let serverTargets: [Target] = [
    .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
    .target(name: "CEpoll"),

    // Not named Crypto, as swift-crypto's module is.
    .target(name: "Cryptography", dependencies: ["COpenSSL"], swiftSettings: strict),
    .testTarget(name: "CryptographyTests", dependencies: ["Cryptography"], swiftSettings: strict),

    .target(name: "CivilCalendar", swiftSettings: strict),
    .testTarget(name: "CivilCalendarTests", dependencies: ["CivilCalendar"], swiftSettings: strict),

    .target(name: "Limits", swiftSettings: strict),
    .testTarget(name: "LimitsTests", dependencies: ["Limits"], swiftSettings: strict),

    .target(
        name: "Postgres",
        dependencies: ["CLibpq", "CEpoll", .product(name: "Logging", package: "swift-log")],
        swiftSettings: strict),
    .target(name: "TestPostgres", dependencies: ["Postgres"], path: "Tests/TestPostgres", swiftSettings: strict),
    .testTarget(
        name: "PostgresTests", dependencies: ["Postgres", "TestPostgres", "TestSupport"], swiftSettings: strict),

    .target(
        name: "Auth", dependencies: ["Cryptography", "Limits"],
        exclude: ["Passwords/common-passwords.LICENSE.txt"],
        resources: [.embedInCode("Passwords/common-passwords.txt")], swiftSettings: strict),
    .testTarget(name: "AuthTests", dependencies: ["Auth", "Limits", "TestSupport"], swiftSettings: strict),

    .target(name: "Mail", dependencies: ["CCurl", "CIDN2", "CivilCalendar"], swiftSettings: strict),
    .testTarget(name: "MailTests", dependencies: ["Mail"], swiftSettings: strict),

    .target(
        name: "Push",
        dependencies: [
            "Cryptography", .product(name: "AsyncHTTPClient", package: "async-http-client"),
            .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        ],
        swiftSettings: strict),
    .testTarget(
        name: "PushTests",
        dependencies: ["Push", "Cryptography", .product(name: "Crypto", package: "swift-crypto")],
        swiftSettings: strict),

    .target(
        name: "GraphQLTransport",
        dependencies: [
            "GraphQL", "Cryptography", "CivilCalendar", "Limits",
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOWebSocket", package: "swift-nio"),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ],
        exclude: ["Playground/package.json", "Playground/tsconfig.json", "Playground/types.d.ts"],
        swiftSettings: strict, plugins: ["EmbedFiles"]),
    .testTarget(
        name: "GraphQLTransportTests",
        dependencies: [
            "GraphQLTransport", "Cryptography", "TestSupport", .product(name: "NIOEmbedded", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOWebSocket", package: "swift-nio"),
        ],
        swiftSettings: strict),

    .plugin(name: "EmbedFiles", capability: .buildTool()),
    .target(name: "Schema", path: "schema", swiftSettings: strict, plugins: ["EmbedFiles"]),
    .target(
        name: "Migrations", path: "migrations", exclude: ["structure.sql"], swiftSettings: strict,
        plugins: ["EmbedFiles"]),

    .target(
        name: "ChangeFeed",
        dependencies: ["GraphQL", "Postgres", "Cryptography", .product(name: "Logging", package: "swift-log")],
        swiftSettings: strict),
    .testTarget(
        name: "ChangeFeedTests", dependencies: ["ChangeFeed", "GraphQL", "Postgres"], swiftSettings: strict),

    .target(
        name: "App",
        dependencies: [
            "ChangeFeed", "GraphQL", "Postgres", "Auth", "CivilCalendar", "Cryptography", "Limits", "Mail",
            "Schema", "Migrations",
            .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "Logging", package: "swift-log"),
        ],
        exclude: ["Accounts/Names/UNICODE.LICENSE.txt"],
        resources: [
            .embedInCode("Accounts/Names/confusables.txt"), .embedInCode("Accounts/Names/scripts.txt"),
        ],
        swiftSettings: strict),
    .testTarget(
        name: "AppTests",
        dependencies: ["App", "ChangeFeed", "TestPostgres", "TestSupport"],
        exclude: [
            "Changes/shared-fields.txt", "Migrations/before-baseline.sql.gz", "Search/unaccent-letters.txt",
            "Statements/previous-release.sql", "World/world.sql",
        ]
            + [
                "Accounts", "Analytics", "Chat", "Comments", "Events", "Feed", "Images", "Mutations", "Nodes",
                "Notifications", "Push", "Safety", "Search", "Thoughts",
            ].map { "\($0)/Operations" },
        swiftSettings: strict),

    .target(
        name: "FirebaseImport",
        dependencies: [
            "App", "Auth", "CivilCalendar", "Cryptography", "GraphQL", "Postgres",
            .product(name: "Logging", package: "swift-log"), .product(name: "Yams", package: "Yams"),
        ],
        resources: ["rndm", "posts", "socials", "practica", "reswift"].map { .embedInCode("Mappings/\($0).yaml") },
        swiftSettings: strict),
    .testTarget(
        name: "FirebaseImportTests",
        dependencies: [
            "FirebaseImport", "App", "Auth", "GraphQL", "Migrations", "Postgres", "TestPostgres", "TestSupport",
            .product(name: "Logging", package: "swift-log"),
        ],
        swiftSettings: strict),

    .executableTarget(
        name: "tertulia",
        dependencies: [
            "App", "Auth", "ChangeFeed", "Cryptography", "FirebaseImport", "GraphQL", "GraphQLTransport", "Limits",
            "Mail",
            "Migrations", "Postgres", "Push",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            .product(name: "Subprocess", package: "swift-subprocess"),
            .product(name: "SystemPackage", package: "swift-system"),
        ],
        resources: [.embedInCode("Playground/playground.json")], swiftSettings: strict),
    .testTarget(
        name: "tertuliaTests",
        dependencies: [
            "tertulia", "App", "Cryptography", "GraphQL", "Postgres", "Push", "TestSupport",
            .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
        ],
        swiftSettings: strict),

    .executableTarget(
        name: "hello",
        dependencies: [
            "GraphQL", "GraphQLTransport",
            .product(name: "Logging", package: "swift-log"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ],
        path: "Examples/Hello", swiftSettings: strict),
    .executableTarget(
        name: "example-server",
        dependencies: [
            "Cryptography", "GraphQL", "GraphQLTransport",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            .product(name: "SystemPackage", package: "swift-system"),
        ],
        path: "Examples/ExampleServer", resources: [.embedInCode("example.graphql")], swiftSettings: strict),
    .testTarget(
        name: "ExampleServerTests", dependencies: ["example-server"], swiftSettings: strict),
    .testTarget(
        name: "TertuliaClientNIOTests",
        dependencies: [
            "App", "ClientOperations", "GraphQL", "TertuliaClient", "TertuliaClientNIO", "TertuliaGenerate",
            "TestSupport", "tertulia",
        ],
        swiftSettings: strict),
]

#if os(Linux)
    let products = clientProducts + serverProducts
    let dependencies = clientDependencies + serverDependencies
    let targets = clientTargets + serverTargets
#else
    let products = clientProducts
    let dependencies = clientDependencies
    let targets = clientTargets
#endif

let package = Package(
    name: "tertulia", platforms: [.iOS(.v16), .macOS(.v13)], products: products, dependencies: dependencies,
    targets: targets)
