import ObjectBox
import ObjectBoxLive

// objectbox: entity
final class Recipe {
  var id: Id = 0
  // objectbox: codable
  var labels: Set<String> = []  // each label once, in no order

  init() {}
}

func add(_ label: String, to frozen: FrozenObject<Recipe>) throws {
  guard let recipe = try frozen.thaw() else { return }  // nil: it was removed
  try recipe.live.write { transaction in
    try transaction.modify(recipe) { _ = $0.labels.insert(label) }
  }
}
