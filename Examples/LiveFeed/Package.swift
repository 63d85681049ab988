// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "live-feed", platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(name: "tertulia", path: "../..")],
    targets: [
        .executableTarget(
            name: "LiveFeed",
            dependencies: [
                .product(name: "TertuliaClient", package: "tertulia"),
                .product(name: "TertuliaClientNIO", package: "tertulia"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "GenerateOperations", package: "tertulia")])
    ])
