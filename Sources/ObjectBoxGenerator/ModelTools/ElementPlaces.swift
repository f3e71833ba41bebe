internal import ObjectBoxJSON

/// The places of the elements of a model file in its text.
package struct ElementPlaces: Sendable {
  /// The path that findings name.
  package let path: String
  private var places: [UInt64: SourcePosition] = [:]

  /// Finds the places of entities, properties and relations; a text that is no JSON has none.
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

  /// The place of the first element that the file has, else its start.
  func place(of uids: UInt64...) -> SourcePosition {
    uids.lazy.compactMap { places[$0] }.first ?? start
  }
}
