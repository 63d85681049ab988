// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "fanout-benchmark",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/apple/swift-nio", from: "2.101.2")],
    targets: [
        .executableTarget(name: "fanout-client", cSettings: [.unsafeFlags(["-O2", "-Wall", "-Werror"])]),
        .executableTarget(
            name: "plain-broadcast",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
)
