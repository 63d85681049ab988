// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "engine-benchmark",
    dependencies: [.package(name: "tertulia", path: "../..")],
    targets: [
        .executableTarget(
            name: "engine-benchmark",
            dependencies: [.product(name: "GraphQL", package: "tertulia")],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
