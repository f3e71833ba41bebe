import Foundation
import ObjectBox

/// The notes and tags of one folder.
struct Notebook {
  let store: Store
  let notes: Box<Note>
  let tags: Box<Tag>

  init(folder: String) throws {
    store = try Store(directoryPath: folder)
    notes = store.box()
    tags = store.box()
  }

  /// Stores a note and counts its tags, both or neither.
  func add(_ note: Note) throws {
    try add([note])
  }

  /// Stores notes and counts their tags, all or nothing.
  func add(_ new: [Note]) throws {
    try store.runInTransaction {
      try notes.put(new)
      var uses: [String: Int] = [:]
      for tag in new.flatMap(\.tags) { uses[tag, default: 0] += 1 }
      for (name, count) in uses.sorted(by: { $0.key < $1.key }) {
        let known = try tags.query { .name == name }.build().findUnique()
        try tags.put(Tag(id: known?.id ?? 0, name: name, uses: (known?.uses ?? 0) + count))
      }
    }
  }

  /// Returns the newest notes.
  func newest(_ count: Int) throws -> [Note] {
    try notes.query().ordered(by: Note.created, flags: .descending).build().find(limit: count)
  }

  /// Returns notes whose title begins with a text, or whose text contains it.
  func find(_ text: String) throws -> [Note] {
    try notes.query {
      Note.title.startsWith(text) || Note.text.contains(text, caseSensitive: false)
    }.build().find(limit: 20)
  }
}
