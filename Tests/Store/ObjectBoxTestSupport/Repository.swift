package import Foundation

/// The repository that the tests are built in.
package enum Repository {
  /// Its root, without links.
  package static let root: URL = {
    var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder
  }()

  /// Stores, sources and texts that tests read.
  package static let fixtures = root.appendingPathComponent("Tests/Fixtures")
}
