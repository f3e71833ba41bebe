internal import ObjectBox
internal import ObjectBoxJSON
internal import ObjectBoxSyncServer

/// The rules of one entity in a configuration file.
struct ConfiguredRules: Sendable {
  /// The objects of an entity that a user may see or write.
  enum Reach: Sendable {
    case all
    case none
    /// Objects that fulfil all comparisons of one of the lists.
    case some([[ConfiguredComparison]])
  }

  let entity: String
  var see = Reach.none
  var write = Reach.none

  /// Reads the rules of an entity.
  ///
  /// - Parameters:
  ///   - section: The entity's object.
  ///   - entity: The entity of the model.
  ///   - model: The model, whose other entities links lead to.
  ///   - hasUsers: False if the authentication gives users neither an identity nor claims.
  init(
    _ section: ConfigurationSection,
    _ entity: EntitySchema,
    of model: StoreSchema,
    hasUsers: Bool
  ) {
    self.entity = entity.name
    guard section.value["see"] != nil || section.value["write"] != nil else {
      section.reader.note(
        "the rules of '\(entity.name)' have neither 'see' nor 'write'; add one, or remove them",
        at: section.value.place
      )
      return
    }
    for (key, part) in [("see", \Self.see), ("write", \Self.write)] {
      guard let value = section.value[key] else { continue }
      let reading = ComparisonReading(
        reader: section.reader,
        model: model,
        entity: entity,
        title: section.title(key),
        followsBacklinks: key == "see",
        hasUsers: hasUsers
      )
      self[keyPath: part] = reading.reach(value)
    }
  }

  /// The rules for the server.
  var rules: [SyncRule] {
    [(SyncRule.Access.see, see), (.write, write)].compactMap { access, reach in
      switch reach {
      case .none: nil
      case .all: SyncRule(access: access, entity: entity) { _ in nil }
      case .some(let alternatives):
        SyncRule(access: access, entity: entity) { alternatives.condition(for: $0) }
      }
    }
  }

  /// The rules in words, such as `'Item': users see all, and write those with owner == user.id`.
  var text: String {
    func words(_ reach: Reach) -> String {
      switch reach {
      case .all: "all"
      case .none: "nothing"
      case .some(let alternatives): "what has \(alternatives.text())"
      }
    }
    return "'\(entity)': users see \(words(see)), and write \(words(write))"
  }
}
