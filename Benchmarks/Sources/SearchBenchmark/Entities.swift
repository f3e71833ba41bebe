import ObjectBox

/// An object of the benchmark; the entities differ only in their full-text index.
protocol Measured: AnyObject, Entity, EntityInspectable, __EntityRelatable {
  var text: String { get set }
  init(text: String, label: Int32)
}

/// A text that is searched.
// objectbox: entity
final class Article: Measured {
  var id: Id = 0
  // objectbox: fulltext
  var text: String = ""
  /// A random number below 100, for a condition beside the words.
  // objectbox: index
  var label: Int32 = 0

  init() {}
  init(text: String, label: Int32) {
    self.text = text
    self.label = label
  }
}

/// The same record without a full-text index.
// objectbox: entity
final class Record: Measured {
  var id: Id = 0
  var text: String = ""
  // objectbox: index
  var label: Int32 = 0

  init() {}
  init(text: String, label: Int32) {
    self.text = text
    self.label = label
  }
}
