internal import ObjectBoxGenerator
internal import ObjectBoxJSON

/// Positions of a model file's elements.
package struct ElementPlaces: Sendable {
  /// The path for findings.
  package let path: String
  private var places: [UInt64: SourcePosition] = [:]

  /// Finds the positions of entities, properties and relations; finds none in a text that is not
  /// JSON.
  package init(text: String, path: String) {
    self.path = path
    guard let root = try? JSONParser.parse(text, path: path) else { return }
    for entity in root["entities"]?.elements ?? [] {
      note(entity)
      for key in ["properties", "relations"] {
        for element in entity[key]?.elements ?? [] { note(element) }
      }
    }
  }

  private mutating func note(_ element: JSONValue) {
    guard let id = element["id"], let uid = ModelID(id)?.uid, places[uid] == nil else { return }
    places[uid] = id.position
  }

  /// The start of the file.
  var start: SourcePosition { SourcePosition(startOf: path) }

  /// Returns the position of the first of these elements that the file has; else the start of the
  /// file.
  func place(of uids: UInt64...) -> SourcePosition {
    uids.lazy.compactMap { places[$0] }.first ?? start
  }
}
