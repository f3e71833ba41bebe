// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SemanticSearch",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "objectbox-swift-open", path: "../..")],
  targets: [
    .executableTarget(
      name: "SemanticSearch",
      dependencies: [
        .product(name: "ObjectBox", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxSearch", package: "objectbox-swift-open"),
      ],
      plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]
    )
  ]
)
