import Foundation
import ObjectBox

/// A folder, removed with its parent; its removal also removes its documents.
// objectbox: entity
final class Folder {
  var id: Id = 0
  // objectbox: unique, collation = "nocase"
  var path = ""
  // objectbox: onDelete = "cascade"
  var parent: ToOne<Folder> = nil
  // objectbox: backlink = "folder", onDelete = "cascade"
  var documents: ToMany<Document> = nil
  // objectbox: onDelete = "restrict"
  var locks: ToMany<Lock> = nil

  init() {}
  init(_ path: String) { self.path = path }
}

// objectbox: entity, uniqueTogether = ["folder", "title"], indexTogether = ["kind", "date"]
// objectbox: indexTogether = ["title", "kind"]
final class Document {
  var id: Id = 0
  var title: String?
  var kind: Int8 = 0
  var date = Date(timeIntervalSince1970: 0)
  // objectbox: unique
  var number: UInt16 = 0
  var folder: ToOne<Folder> = nil

  init() {}
  init(_ number: UInt16) { self.number = number }
}

// objectbox: entity
final class Lock {
  var id: Id = 0
  // objectbox: unique
  var code: Int64?
  // objectbox: backlink = "locks", onDelete = "cascade"
  var folders: ToMany<Folder> = nil

  init() {}
}
