/// The isolation of generated declarations, as written in Swift.
enum IsolationWord {
  /// Returns the modifier with a blank after it; empty for the default of the module.
  static func text(_ isolation: Isolation) -> String {
    switch isolation {
    case .unstated: ""
    case .nonisolated: "nonisolated "
    case .mainActor: "@MainActor "
    }
  }

  /// Returns the isolation of declarations that concern all entities.
  static func common(_ entities: [SchemaEntity]) -> Isolation {
    if entities.contains(where: { $0.isolation == .mainActor }) { return .mainActor }
    let isNonisolated = !entities.isEmpty && entities.allSatisfy { $0.isolation == .nonisolated }
    return isNonisolated ? .nonisolated : .unstated
  }
}
