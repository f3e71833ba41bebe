import ObjectBox

/// An entity with generated bindings, for rules and functions with types.
// objectbox: entity, sync = { "resolve": true }
final class Errand {
  var id: Id = 0
  var owner = ""
  var members: [String] = []
  var isDone = false
  var priority: Int = 0
  // objectbox: sync = counter
  var likes: Int = 0

  init() {}

  init(owner: String, members: [String] = [], isDone: Bool = false, priority: Int = 0) {
    self.owner = owner
    self.members = members
    self.isDone = isDone
    self.priority = priority
  }
}
