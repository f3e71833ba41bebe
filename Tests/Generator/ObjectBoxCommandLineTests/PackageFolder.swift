import Foundation
import ObjectBoxTestSupport
import Testing

/// Gives the packages of a suite one folder, so SwiftPM compiles the plugins only once.
///
/// The tests of the suite must be serialized.
struct PackageFolder: SuiteTrait, TestScoping {
  /// The folder of the running suite; nil gives each package its own folder.
  @TaskLocal static var current: TemporaryDirectory?

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.$current.withValue(try TemporaryDirectory()) { try await function() }
  }

  /// Removes the previous test's package and bindings; keeps its plugins and SwiftPM's build.
  static func clear(_ folder: URL) throws {
    let manager = FileManager.default
    let kept = [".build", "Plugins"]
    for name in try manager.contentsOfDirectory(atPath: folder.path) where !kept.contains(name) {
      try manager.removeItem(at: folder.appendingPathComponent(name))
    }
    // Bindings without a model would look like a lost model to the generator.
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
