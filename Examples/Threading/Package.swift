// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Threading",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "objectbox-swift-open", path: "../..")],
  targets: [
    .executableTarget(
      name: "Threading",
      dependencies: [
        .product(name: "ObjectBox", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxGrouping", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxLive", package: "objectbox-swift-open"),
      ],
      plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]
    )
  ]
)
