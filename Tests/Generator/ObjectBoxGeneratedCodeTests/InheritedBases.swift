import Foundation
import ObjectBox

/// A base: its entities have the ID, the indexes and the conversion.
// objectbox: base, indexTogether = ["stage", "createdAt"]
class Dated {
  enum Stage: Int { case draft, sent, paid }

  var id: Id = 0
  // objectbox: index
  var createdAt = Date(timeIntervalSince1970: 0)
  // objectbox: convert = { "default": ".draft" }
  var stage: Stage = .draft
  // objectbox: transient
  var isSelected = false
  var label: String { "\(stage) \(id)" }

  init() {}
}

/// A class without the annotation: its own variable is not stored.
class Counted: Dated {
  var reads = 0
}

/// A base above which another class is between it and its base.
// objectbox: base
class Titled: Counted {
  // objectbox: unique, name = "heading"
  var title: String = ""
  // objectbox: fulltext
  var text: String?
  // objectbox: codable
  var extras: [String: Int] = [:]
  var buyer: ToOne<Buyer> = nil
  var marks: ToMany<Mark> = nil
}
