// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ReadingList",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://…/objectbox-swift-open.git", from: "0.1.0")
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
