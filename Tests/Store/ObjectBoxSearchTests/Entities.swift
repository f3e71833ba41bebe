import ObjectBox
import ObjectBoxTestSupport

/// Words, a vector, and a number to filter by.
// objectbox: entity
final class Passage {
  // objectbox: id = { "assignable": true }
  var id: Id = 0
  // objectbox: fulltext = { "prefix": [3] }
  var text: String?
  var title: String = ""
  // objectbox: hnswIndex: dimensions=2, distanceType=euclidean
  var place: [Float]?
  // objectbox: index
  var stars: Int32 = 0
  var topic: ToOne<Topic> = nil

  init() {}

  init(_ text: String?, title: String = "", place: [Float]? = nil, stars: Int32 = 0) {
    self.text = text
    self.title = title
    self.place = place
    self.stars = stars
  }
}

// objectbox: entity
final class Topic {
  var id: Id = 0
  var name: String = ""

  init() {}

  init(_ name: String) { self.name = name }
}

/// Texts with an index of their own, and one together with titles.
// objectbox: entity
// objectbox: fulltextTogether = { "name": "words", "properties": { "title": 3, "text": 1 } }
struct Chapter: Entity {
  var id: Id = 0
  var title: String
  var text: String
}

/// A folder with a store, which ends with this object.
final class SearchStore {
  private let folder: TemporaryDirectory
  let store: Store

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
  }

  deinit { store.close() }

  var passages: Box<Passage> { store.box(for: Passage.self) }
}
