/// The C headers that a run may read.
package struct CHeaders: Hashable, Sendable {
  /// A C module and the folder of its public headers.
  package struct Module: Hashable, Sendable {
    package var name: String
    package var folder: String
  }

  /// Single headers, of any module.
  package var files: [String] = []
  /// Folders in which headers look for the ones that they include.
  package var includeFolders: [String] = []
  package var modules: [Module] = []

  package init() {}

  var isEmpty: Bool { files.isEmpty && modules.isEmpty }

  /// The folders for `#include`, those of the modules among them.
  var searchFolders: [String] { includeFolders + modules.map(\.folder) }
}

extension CHeaders.Module {
  /// Reads a module as written, `NAME=DIR`; nil when either is missing.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, parts[0].endIndex != text.endIndex, !text.hasPrefix("=") else {
      return nil
    }
    self.init(name: String(parts[0]), folder: String(parts[1]))
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
  }
}
