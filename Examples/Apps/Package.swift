// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let apps = ["rndm", "posts", "socials", "practica", "reswift"]

// Each app's documents.txt names the server's schema. An app elsewhere has a copy: curl URL/schema.graphql.
let package = Package(
    name: "apps", platforms: [.iOS(.v16), .macOS(.v13)],
    products: apps.map { .executable(name: $0, targets: [$0]) },
    dependencies: [.package(name: "tertulia", path: "../..")],
    targets: [
        .target(
            name: "Terminal",
            dependencies: [
                .product(name: "TertuliaClient", package: "tertulia"),
                .product(name: "TertuliaClientNIO", package: "tertulia"),
            ],
            path: "Terminal", swiftSettings: strict)
    ]
        + apps.map {
            .executableTarget(
                name: $0, dependencies: ["Terminal", .product(name: "TertuliaClient", package: "tertulia")],
                path: $0, exclude: ["README.md", "documents.txt"], swiftSettings: strict,
                plugins: [.plugin(name: "GenerateOperations", package: "tertulia")])
        })
