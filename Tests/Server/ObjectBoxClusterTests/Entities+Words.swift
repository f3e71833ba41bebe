import ObjectBox
import ObjectBoxCluster

/// A class with an index of its text, an index of its title, a vector, and relations.
// objectbox: entity
final class WordNote {
  var id: Id = 0
  // objectbox: fulltext = { "prefix": [2, 3] }
  var text: String?
  // objectbox: fulltext = { "k1": 0.9, "b": 0.4 }
  var title: String = ""
  // objectbox: index
  var stars: Int = 0
  var shelf: ToOne<WordShelf> = nil
  // objectbox: hnswIndex: dimensions=2, distanceType=euclidean
  var place: [Float]?

  init() {}

  init(_ text: String?, title: String = "", stars: Int = 0, place: [Float]? = nil) {
    self.text = text
    self.title = title
    self.stars = stars
    self.place = place
  }
}

// objectbox: entity
final class WordShelf {
  var id: Id = 0
  // objectbox: fulltext
  var name: String = ""
  // objectbox: backlink = "shelf"
  var notes: ToMany<WordNote> = nil

  init() {}

  init(_ name: String) {
    self.name = name
  }
}

/// A struct with an index over several texts.
// objectbox: entity
// objectbox: fulltextTogether = { "name": "words", "properties": { "title": 3, "text": 1, "more": 2 }, "prefix": [2] }
struct WordArticle: Entity {
  var id: Id = 0
  var title: String?
  var text: String?
  var more: String?
}
