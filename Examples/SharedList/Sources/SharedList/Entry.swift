import ObjectBox

/// A line of a shopping or to-do list.
// objectbox: entity, sync
final class Entry {
  var id: Id = 0

  /// The name of the list; the server's rules compare it.
  // objectbox: index
  var list: String = ""

  var text: String = ""

  /// List and text. A text is on a list once, whichever devices add it.
  // objectbox: unique
  var key: String = ""

  var isDone: Bool = false

  /// The name of the user who added the entry.
  var author: String = ""

  init() {}

  init(_ text: String, on list: String, by author: String) {
    self.list = list
    self.text = text
    self.author = author
    key = Self.key(text, on: list)
  }

  /// The unique key of a text on a list: upper and lower case do not differ.
  static func key(_ text: String, on list: String) -> String {
    "\(list)/\(text.lowercased())"
  }

  /// The entry as one line: `home: [x] milk (ada)`.
  var line: String { "\(list): [\(isDone ? "x" : " ")] \(text) (\(author))" }
}
