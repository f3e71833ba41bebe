/// The C headers that a run may read.
package struct CHeaders: Hashable, Sendable {
  /// A C module and the folder of its public headers.
  package struct Module: Hashable, Sendable {
    package var name: String
    package var folder: String
  }

  /// Single headers, whose modules are unknown.
  package var files: [String] = []
  /// Folders in which `#include` searches.
  package var includeFolders: [String] = []
  package var modules: [Module] = []

  package init() {}

  var isEmpty: Bool { files.isEmpty && modules.isEmpty }

  /// All folders in which `#include` searches, including the modules' folders.
  var searchFolders: [String] { includeFolders + modules.map(\.folder) }
}

extension CHeaders.Module {
  /// Parses `NAME=DIR`; nil when either part is missing.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, parts[0].endIndex != text.endIndex, !text.hasPrefix("=") else {
      return nil
    }
    self.init(name: String(parts[0]), folder: String(parts[1]))
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
  }
}
