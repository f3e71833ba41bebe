import Foundation
import ObjectBox

/// The importance of a note, stored as its raw value.
enum Priority: Int, CaseIterable {
  case low, normal, high
}

/// A note with tags.
// objectbox: entity
final class Note {
  var id: Id = 0

  /// The unique name of the note in addresses.
  // objectbox: unique
  var slug: String = ""

  // objectbox: index = value
  var title: String = ""

  var text: String = ""

  var tags: [String] = []

  // objectbox: index
  var created: Date = Date(timeIntervalSince1970: 0)

  var edited: Date?

  // objectbox: convert = { "default": ".normal" }, index
  var priority: Priority = .normal

  var wordCount: Int32 = 0

  init() {}

  init(slug: String, title: String, text: String, tags: [String], created: Date) {
    self.slug = slug
    self.title = title
    self.text = text
    self.tags = tags
    self.created = created
    wordCount = Int32(clamping: text.split(separator: " ").count)
  }
}

/// How often a tag is used; putting a tag again replaces the older count.
struct Tag: Entity {
  var id: Id
  // objectbox: unique = { "onConflict": "replace" }
  var name: String
  var uses: Int
}
