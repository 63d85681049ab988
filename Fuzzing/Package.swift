// swift-tools-version: 6.2
import PackageDescription

// Built by scripts/fuzz: with the sanitizer, and with tests enabled so that what is internal can be fuzzed.
let package = Package(
    name: "fuzz",
    dependencies: [
        .package(name: "tertulia", path: ".."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .executableTarget(
            name: "fuzz",
            dependencies: [
                .product(name: "App", package: "tertulia"),
                .product(name: "GraphQL", package: "tertulia"),
                .product(name: "GraphQLTransport", package: "tertulia"),
                .product(name: "W3CTraceContext", package: "tertulia"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
