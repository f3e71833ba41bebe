import Foundation
import ObjectBox

/// On the main actor, as everything in this target that does not say otherwise.
// objectbox: entity
final class Draft {
  var id: Id = 0
  // objectbox: index
  var title = ""
  // objectbox: convert = { "default": ".plain" }
  var style = Style.plain
  var edited: Date?
  // objectbox: codable
  var margins = Margins(left: 1, right: 2)

  init() {}
}

struct Margins: Codable, Equatable {
  var left: Int
  var right: Int
}

enum Style: String {
  case plain, fancy
}

/// On the main actor by its own word.
struct Label: Entity, Equatable {
  var id: Id
  var name: String
}

// objectbox: entity
@MainActor final class Window {
  var id: Id = 0
  var width = 0

  init() {}
}

/// Of no actor, so that any thread may use it.
// objectbox: entity
nonisolated final class Job {
  var id: Id = 0
  // objectbox: unique
  var name = ""

  init() {}
}

nonisolated struct Step: Entity, Equatable {
  var id: EntityId<Step>
  var text: String
  // objectbox: codable
  var counts: [String: Int] = [:]
}
