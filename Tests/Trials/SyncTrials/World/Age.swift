import ObjectBoxSyncProtocol

/// The two models of the trials: the second one has an entity, and two properties of each entity, that
/// the first one lacks.
enum Age: Int, Comparable {
  case first, second

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The properties that the first model lacks.
  static let added = [TrialModel.late, TrialModel.lateVotes]

  var rules: SyncRules { self == .first ? TrialModel.earlierRules : TrialModel.rules }

  /// The rules on a server.
  var serverRules: SyncRules {
    self == .first ? TrialModel.earlierServerRules : TrialModel.serverRules
  }

  var entities: [EntityUID] {
    self == .first ? Self.earlierEntities : TrialModel.entities
  }

  var parts: ModelParts { self == .first ? Self.earlierParts : Self.allParts }

  /// Returns a row of the model as a database or a store file has it: properties without values are null.
  func completed(_ row: Row) -> Row {
    if self == .first, !row.hasAdded { return row }
    var row = row
    for property in Self.added {
      if self == .first {
        row.values[property] = nil
      } else if row.values[property] == nil {
        row.values[property] = .null
      }
    }
    return row
  }

  /// Returns a row as it travels between this model and another one.
  func reduced(_ row: Row, _ other: Age) -> Row {
    guard min(self, other) == .first, row.hasAdded else { return row }
    var row = row
    for property in Self.added {
      row.values[property] = nil
      row.stamps[property] = nil
    }
    return row
  }

  private static let earlierEntities = Array(TrialModel.entities.dropLast())
  private static let allParts = parts(of: TrialModel.entities, added)
  private static let earlierParts = parts(of: earlierEntities, [])

  private static func parts(of entities: [EntityUID], _ added: [PropertyUID]) -> ModelParts {
    let properties =
      [
        TrialModel.owner, TrialModel.code, TrialModel.first, TrialModel.second, TrialModel.votes,
        TrialModel.parent, TrialModel.rank, TrialModel.region,
      ] + added
    return ModelParts(
      entities.map { entity in
        EntityDescription(
          entity: entity,
          properties: properties.map { PropertyDescription(property: $0, type: 6) },
          relations: [TrialModel.links]
        )
      }
    )
  }
}

extension Row {
  /// True if the row has properties that the first model lacks; their UIDs are the greatest.
  fileprivate var hasAdded: Bool {
    func isAdded(_ property: PropertyUID?) -> Bool {
      property.map { $0 >= TrialModel.late } ?? false
    }
    return isAdded(values.elements.last?.property) || isAdded(stamps.elements.last?.property)
  }
}
