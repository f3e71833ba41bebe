// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Notebook",
  platforms: [.macOS(.v15)],
  dependencies: [
    // In a project of your own, this is `.package(url: …, from: …)`.
    .package(name: "objectbox-swift-open", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "Notebook",
      dependencies: [.product(name: "ObjectBox", package: "objectbox-swift-open")],
      plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]
    ),
    // The same entities, under the same model, on a server.
    .executableTarget(
      name: "ClusterNotebook",
      dependencies: [
        .product(name: "ObjectBox", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxCluster", package: "objectbox-swift-open"),
      ],
      plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]
    ),
  ]
)
