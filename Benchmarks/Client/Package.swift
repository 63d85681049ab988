// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "client-benchmark",
    dependencies: [.package(name: "tertulia", path: "../..")],
    targets: [
        .executableTarget(
            name: "client-benchmark",
            dependencies: [
                .product(name: "TertuliaClient", package: "tertulia"),
                .product(name: "TertuliaClientNIO", package: "tertulia"),
            ],
            exclude: ["documents.txt"], swiftSettings: [.treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "GenerateOperations", package: "tertulia")])
    ]
)
