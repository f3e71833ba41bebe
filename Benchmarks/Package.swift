// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "objectbox-swift-open", path: "..")],
  targets: [
    .executableTarget(
      name: "ObjectBoxBenchmarks",
      dependencies: [
        .product(name: "ObjectBox", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxLive", package: "objectbox-swift-open"),
      ],
      plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]
    ),
    // The entities of a cluster beside libpq in C; Benchmarks/cluster.sh runs both.
    .executableTarget(
      name: "ClusterBenchmark",
      dependencies: [
        .product(name: "ObjectBox", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxCluster", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxSearch", package: "objectbox-swift-open"),
      ],
      plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]
    ),
    // Full-text indexes beside other programs; Benchmarks/search.sh runs all.
    .executableTarget(
      name: "SearchBenchmark",
      dependencies: [
        .product(name: "ObjectBox", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxCare", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxSearch", package: "objectbox-swift-open"),
      ],
      plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]
    ),
    // Groups of objects beside SQLite and DuckDB; Benchmarks/groups.sh runs all three.
    .executableTarget(
      name: "GroupBenchmark",
      dependencies: [
        .product(name: "ObjectBox", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxGrouping", package: "objectbox-swift-open"),
      ],
      plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]
    ),
    // Encrypted and plain stores beside SQLCipher and SQLite3MC; Benchmarks/encryption.sh runs all.
    .executableTarget(
      name: "EncryptionBenchmark",
      dependencies: [
        .product(name: "ObjectBox", package: "objectbox-swift-open"),
        .product(name: "ObjectBoxEncryption", package: "objectbox-swift-open"),
      ],
      plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]
    ),
    // Times a built generator; see the usage line in Main.swift.
    .executableTarget(name: "GeneratorBenchmark"),
  ]
)
