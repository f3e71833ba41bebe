// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SharedList",
  platforms: [.macOS(.v15)],
  dependencies: [
    // In your own project: `.package(url: …, from: …)`.
    .package(name: "objectbox-swift-open", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "SharedList",
      dependencies: [
        .product(name: "ObjectBox", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxLive", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxSync", package: "objectbox-swift-open"),
      ],
      plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]
    ),
    // The same entities and model, on a server.
    .executableTarget(
      name: "SharedListServer",
      dependencies: [
        .product(name: "ObjectBox", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxCluster", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxSyncServer", package: "objectbox-swift-open"),
      ],
      plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]
    ),
  ]
)
