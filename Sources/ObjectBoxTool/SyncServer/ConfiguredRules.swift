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

/// Reads the comparisons of an entity's rules.
private struct ComparisonReading {
  let reader: ConfigurationReader
  let model: StoreSchema
  let entity: EntitySchema
  let title: String
  let hasUsers: Bool

  func reach(_ value: JSONValue) -> ConfiguredRules.Reach {
    switch value.content {
    case .string("all"): return .all
    case .string("none"): return .none
    case .object: return .some([comparisons(value)])
    case .array(let elements) where !elements.isEmpty: return .some(elements.map(comparisons))
    default:
      reader.note(
        "\(title) is \(value.kind), and \"all\", \"none\", an object such as {\"owner\": {\"user\": \"id\"}}, or a list "
          + "of such objects is expected",
        at: value.place
      )
      return .none
    }
  }

  /// Returns the comparisons of an object, all of which must hold; what is wrong is noted.
  private func comparisons(_ value: JSONValue) -> [ConfiguredComparison] {
    guard case .object(let members) = value.content else {
      reader.note("\(title) has \(value.kind), and an object is expected", at: value.place)
      return []
    }
    if members.isEmpty {
      reader.note("\(title) has an object without properties; write \"all\"", at: value.place)
    }
    return members.compactMap { comparison($0, $1) }
  }

  private func comparison(_ name: String, _ content: JSONValue) -> ConfiguredComparison? {
    let place = content.keyPlace ?? content.place
    guard let property = entity.properties.first(where: { $0.name == name }) else {
      let names = entity.properties.map { "'\($0.name)'" }.joined(separator: ", ")
      reader.note("'\(entity.name)' has no property '\(name)'; it has \(names)", at: place)
      return nil
    }
    let form = ValueForm(property)
    let isComparable =
      switch form {
      case .boolean, .integer: !property.has(.id)
      case .text: property.collation != .decimal
      case .texts: true
      default: false
      }
    guard isComparable else {
      reader.note(
        "rules cannot compare '\(name)' of '\(entity.name)'; they compare Booleans, whole numbers, dates, texts, lists "
          + "of texts and to-one relations, but no IDs and decimals",
        at: place
      )
      return nil
    }
    let elements = content.elements ?? [content]
    if elements.isEmpty {
      reader.note("\(title) compares '\(name)' with no value; add one", at: content.place)
    }
    let values = elements.compactMap { self.value($0, of: property, form) }
    guard !values.isEmpty, values.count == elements.count else { return nil }
    return ConfiguredComparison(property: property, form: form, values: values)
  }

  private func value(
    _ value: JSONValue,
    of property: PropertySchema,
    _ form: ValueForm
  ) -> ConfiguredComparison.Value? {
    switch (value.content, form) {
    case (.null, _): return .null
    case (.boolean(let isTrue), .boolean): return .integer(isTrue ? 1 : 0, text: "\(isTrue)")
    case (.string(let text), .text), (.string(let text), .texts): return .text(text)
    case (.number(let digits), .integer):
      if let number = ConfiguredComparison.integer(digits, form) {
        return .integer(number, text: digits)
      }
    case (.object(let members), _):
      if let (key, link) = members.first, key == "link", members.count == 1 {
        return self.link(link, property, at: value.place)
      }
      guard let (key, name) = members.first, members.count == 1, let name = name.string,
        key == "claim" || key == "user" && name == "id"
      else { break }
      guard hasUsers else {
        reader.note(
          "\(title) compares '\(property.name)' with the user, whom this authentication does not tell; use the kind "
            + "\"jwt\", or a constant",
          at: value.place
        )
        return nil
      }
      return key == "claim" ? .claim(name) : .user
    default: break
    }
    reader.note(
      "\(title) compares '\(property.name)' with \(value.kind), and \(expected(form)), null, {\"user\": \"id\"} or "
        + "{\"claim\": NAME} is expected",
      at: value.place
    )
    return nil
  }

  /// Returns the comparisons of the objects that a relation leads to; what is wrong is noted.
  private func link(
    _ value: JSONValue,
    _ property: PropertySchema,
    at place: JSONPlace
  ) -> ConfiguredComparison.Value? {
    guard property.type == .relation else {
      reader.note(
        "\(title) follows '\(property.name)' of '\(entity.name)', which is no to-one relation; a \"link\" follows "
          + "to-one relations",
        at: place
      )
      return nil
    }
    let name = property.targetEntityName ?? ""
    guard let target = model.entities.first(where: { $0.name == name }), target.isSynchronized
    else {
      reader.note(
        "\(title) follows '\(property.name)' to '\(name)', which the model does not synchronize; annotate '\(name)' "
          + "with 'objectbox: sync'",
        at: place
      )
      return nil
    }
    let reading = Self(
      reader: reader,
      model: model,
      entity: target,
      title: title,
      hasUsers: hasUsers
    )
    let info = EntityInfo(name: name, id: target.identity.id)
    switch value.content {
    case .object: return .link(info, [reading.comparisons(value)])
    case .array(let elements) where !elements.isEmpty:
      return .link(info, elements.map(reading.comparisons))
    default:
      reader.note(
        "\(title) follows '\(property.name)' by \(value.kind), and an object with properties of '\(name)', or a list "
          + "of such objects is expected",
        at: value.place
      )
      return nil
    }
  }

  private func expected(_ form: ValueForm) -> String {
    switch form {
    case .boolean: "true, false"
    case .text, .texts: "a text"
    default: "a whole number that the property can have"
    }
  }
}
