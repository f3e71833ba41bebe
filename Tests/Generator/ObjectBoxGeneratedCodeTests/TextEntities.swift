import ObjectBox

/// A class with full-text indexes of single properties.
// objectbox: entity
final class Note {
  var id: Id = 0
  // objectbox: fulltext = { "prefix": [2, 3], "diacritics": "keep", "k1": 1.4, "b": 0.5 }
  var text: String = ""
  // objectbox: index, fulltext
  var title: String?

  init() {}
  init(_ text: String, title: String? = nil) {
    self.text = text
    self.title = title
  }
}

/// A struct with a full-text index over several properties.
// objectbox: entity
// objectbox: fulltextTogether = { "name": "words", "properties": { "title": 3, "text": 1 } }
struct Article: Entity {
  var id: EntityId<Article>
  let title: String
  // objectbox: fulltext
  let text: String?
}
