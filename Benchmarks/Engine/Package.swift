// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "engine-benchmark",
    dependencies: [
        .package(name: "tertulia", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "engine-benchmark",
            dependencies: [
                .product(name: "GraphQL", package: "tertulia"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
