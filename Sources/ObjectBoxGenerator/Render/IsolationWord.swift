/// The isolation of generated declarations as Swift source writes it.
enum IsolationWord {
  /// Returns the word with a blank behind it; empty where the default of the module counts.
  static func text(_ isolation: Isolation) -> String {
    switch isolation {
    case .unstated: ""
    case .nonisolated: "nonisolated "
    case .mainActor: "@MainActor "
    }
  }

  /// Returns the isolation of what concerns all entities: none, when none of them has one.
  static func common(_ entities: [SchemaEntity]) -> Isolation {
    if entities.contains(where: { $0.isolation == .mainActor }) { return .mainActor }
    let isNonisolated = !entities.isEmpty && entities.allSatisfy { $0.isolation == .nonisolated }
    return isNonisolated ? .nonisolated : .unstated
  }
}
