import Foundation

/// The path of a model file, and whether the file exists.
struct ModelFile {
  let url: URL
  let exists: Bool

  init(_ url: URL) {
    self.url = url
    exists = FileManager.default.fileExists(atPath: url.path)
  }

  /// Returns whether both paths lead to the same file.
  func isSame(as other: ModelFile) -> Bool {
    url.resolvingSymlinksInPath().path == other.url.resolvingSymlinksInPath().path
  }

  /// The names of the entities; empty for an unreadable file, whose error the tool reports.
  var entityNames: [String] {
    struct Model: Decodable {
      struct Entity: Decodable {
        var name: String
      }
      var entities: [Entity]?
    }
    let decoded = (try? Data(contentsOf: url)).flatMap { data in
      try? JSONDecoder().decode(Model.self, from: data)
    }
    return decoded?.entities?.map(\.name) ?? []
  }
}
