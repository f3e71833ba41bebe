import Foundation
import ObjectBoxTestSupport
import Testing

/// Gives the packages of a suite one folder, in which SwiftPM compiles the plugins once.
///
/// The tests of the suite must be serialized.
struct PackageFolder: SuiteTrait, TestScoping {
  /// The folder of the suite that runs; nil gives each package a folder of its own.
  @TaskLocal static var current: TemporaryDirectory?

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.$current.withValue(try TemporaryDirectory()) { try await function() }
  }

  /// Removes the package of the test before with its bindings, but not its plugins nor what SwiftPM has compiled.
  static func clear(_ folder: URL) throws {
    let manager = FileManager.default
    let kept = [".build", "Plugins"]
    for name in try manager.contentsOfDirectory(atPath: folder.path) where !kept.contains(name) {
      try manager.removeItem(at: folder.appendingPathComponent(name))
    }
    // The generator would take bindings for a sign of a lost model.
    for name in ["outputs", "ObjectBoxCommand"] {
      let outputs = folder.appendingPathComponent(".build/plugins/\(name)")
      if manager.fileExists(atPath: outputs.path) { try manager.removeItem(at: outputs) }
    }
  }
}

extension Trait where Self == PackageFolder {
  /// Gives the packages of the suite one folder.
  static var onePackageFolder: Self { PackageFolder() }
}
