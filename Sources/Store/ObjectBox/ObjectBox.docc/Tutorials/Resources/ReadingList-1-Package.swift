// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ReadingList",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "objectbox-swift-open", path: "../objectbox-swift-open")
  ],
  targets: [
    .executableTarget(
      name: "ReadingList",
      dependencies: [
        .product(name: "ObjectBox", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxLive", package: "objectbox-swift-open"),
      ],
      plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]
    )
  ]
)
