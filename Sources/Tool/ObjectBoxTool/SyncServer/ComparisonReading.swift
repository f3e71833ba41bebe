internal import ObjectBox
internal import ObjectBoxJSON
internal import ObjectBoxSyncServer

/// Reads the comparisons of an entity's rules.
struct ComparisonReading {
  let reader: ConfigurationReader
  let model: StoreSchema
  let entity: EntitySchema
  let title: String
  /// False for rules of writes.
  let followsBacklinks: Bool
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

  /// Returns the comparisons of an object, all of which must hold; notes faults.
  private func comparisons(_ value: JSONValue) -> [ConfiguredComparison] {
    guard case .object(let members) = value.content else {
      reader.note("\(title) has \(value.kind), and an object is expected", at: value.place)
      return []
    }
    if members.isEmpty {
      reader.note("\(title) has an object without properties; write \"all\"", at: value.place)
    }
    return members.flatMap { comparisons($0, $1) }
  }

  private func comparisons(_ name: String, _ content: JSONValue) -> [ConfiguredComparison] {
    let place = content.keyPlace ?? content.place
    guard let property = entity.properties.first(where: { $0.name == name }) else {
      return relation(name, at: place).flatMap { links($0, content) }.map { [$0] } ?? []
    }
    let form = ValueForm(property)
    let isComparable =
      switch form {
      case .boolean, .integer, .float, .double, .texts: true
      case .text: property.collation != .decimal
      default: false
      }
    guard isComparable else {
      reader.note(
        "rules cannot compare '\(name)' of '\(entity.name)'; they compare Booleans, numbers, dates, texts, lists of "
          + "texts, IDs and relations, but no decimals, and no other lists",
        at: place
      )
      return []
    }
    guard case .object(let members) = content.content, let key = members.first?.0,
      ConfiguredComparison.Test(rawValue: key) != nil
    else { return comparison(property, form, .equal, content).map { [$0] } ?? [] }
    return members.compactMap { key, value in
      guard let test = ConfiguredComparison.Test(rawValue: key) else {
        reader.note(
          "\(title) compares '\(name)' by '\(key)'; use \(Self.tests)",
          at: value.keyPlace ?? value.place
        )
        return nil
      }
      return comparison(property, form, test, value)
    }
  }

  /// The names of all tests.
  private static let tests = ConfiguredComparison.Test.allCases.map { "'\($0.rawValue)'" }
    .joined(separator: ", ")

  private func comparison(
    _ property: PropertySchema,
    _ form: ValueForm,
    _ test: ConfiguredComparison.Test,
    _ content: JSONValue
  ) -> ConfiguredComparison? {
    let elements = content.elements ?? [content]
    if elements.isEmpty {
      reader.note("\(title) compares '\(property.name)' with no value; add one", at: content.place)
    }
    if let fault = fault(of: test, property, form, elements) {
      reader.note(
        "\(title) compares '\(property.name)' by '\(test.rawValue)'\(fault)",
        at: content.keyPlace ?? content.place
      )
      return nil
    }
    let values = elements.compactMap { value($0, of: property, form, test) }
    guard !values.isEmpty, values.count == elements.count else { return nil }
    return ConfiguredComparison(
      name: property.name,
      property: property,
      form: form,
      test: test,
      values: values
    )
  }

  /// Returns the reason why a property cannot be compared so, in words; nil if it can.
  private func fault(
    of test: ConfiguredComparison.Test,
    _ property: PropertySchema,
    _ form: ValueForm,
    _ values: [JSONValue]
  ) -> String? {
    if test == .equal { return nil }
    let hasValue = values.contains { if case .null = $0.content { false } else { true } }
    if property.has(.id) || property.type == .relation && hasValue {
      return ", and IDs and relations are compared by '==' only"
    }
    if form == .texts { return ", and a list of texts holds if it contains a value" }
    if test == .notEqual {
      let limit = SyncRule.comparisonLimit
      return values.count > limit
        ? " with \(values.count) values; at most \(limit) are possible" : nil
    }
    if form == .boolean { return ", and Booleans have no order; use '==' or '!='" }
    if form == .text, property.collation != .binary {
      return ", and its texts are not ordered by their bytes; use '==' or '!='"
    }
    return values.count == 1 && hasValue ? nil : ", which takes one value"
  }

  private func value(
    _ value: JSONValue,
    of property: PropertySchema,
    _ form: ValueForm,
    _ test: ConfiguredComparison.Test
  ) -> ConfiguredComparison.Value? {
    switch (value.content, form) {
    case (.null, _): return .null
    case (.boolean(let isTrue), .boolean): return .integer(isTrue ? 1 : 0, text: "\(isTrue)")
    case (.string(let text), .text), (.string(let text), .texts): return .text(text)
    case (.number(let digits), .integer):
      if let number = ConfiguredComparison.integer(digits, form) {
        return .integer(number, text: digits)
      }
    case (.number(let digits), .float), (.number(let digits), .double):
      if let number = Double(digits), number.isFinite { return .double(number, text: digits) }
    case (.object(let members), _):
      if let (key, link) = members.first, key == "link", members.count == 1, test == .equal {
        guard property.type == .relation else {
          reader.note(
            "\(title) follows '\(property.name)' of '\(entity.name)', which is no relation; a \"link\" follows "
              + "relations",
            at: value.place
          )
          return nil
        }
        let target = property.targetEntityName ?? ""
        return self.link(
          Followed(property.name, .toOne(property: property.identity.id), to: target),
          link,
          at: value.place
        )
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
    let more = test == .equal ? ", or an object with \(Self.tests)," : ""
    reader.note(
      "\(title) compares '\(property.name)' with \(value.kind), and \(expected(form)), null, {\"user\": \"id\"} or "
        + "{\"claim\": NAME}\(more) is expected",
      at: value.place
    )
    return nil
  }

  // MARK: Relations

  /// A relation that a rule follows.
  private struct Followed {
    /// The name; a backlink's name begins with its entity's.
    let name: String
    let end: RelationEnd
    /// The name of the entity of the related objects.
    let target: String

    init(_ name: String, _ end: RelationEnd, to target: String) {
      (self.name, self.end, self.target) = (name, end, target)
    }
  }

  /// Returns the relation with a name that is no property's; notes a fault if there is none.
  private func relation(_ name: String, at place: JSONPlace) -> Followed? {
    if let relation = entity.relations.first(where: { $0.title == name }) {
      let target = model.entities.first { $0.identity.id == relation.target.id }
      return Followed(name, .standalone(relation: relation.identity.id), to: target?.name ?? "")
    }
    let parts = name.split(separator: ".", maxSplits: 1)
    guard parts.count == 2 else {
      let names = entity.properties.map(\.name) + entity.relations.map(\.title)
      reader.note(
        "'\(entity.name)' has no property '\(name)'; it has \(names.map { "'\($0)'" }.joined(separator: ", "))",
        at: place
      )
      return nil
    }
    let source = model.entities.first { $0.name == parts[0] }
    let property = source?.properties.first {
      $0.type == .relation && $0.name == parts[1] && $0.targetEntityName == entity.name
    }
    let relation = source?.relations.first {
      $0.title == parts[1] && $0.target.id == entity.identity.id
    }
    let end: RelationEnd? =
      property.map { .toOneBacklink(property: $0.identity.id) }
      ?? relation.map { .standaloneBacklink(relation: $0.identity.id) }
    guard let end else {
      reader.note(
        "the model has no relation '\(name)' to '\(entity.name)'; a backlink is named by the entity and its "
          + "relation",
        at: place
      )
      return nil
    }
    guard followsBacklinks else {
      reader.note(
        "\(title) follows the backlink '\(name)'; rules of writes follow relations of the written object only",
        at: place
      )
      return nil
    }
    return Followed(name, end, to: String(parts[0]))
  }

  /// Returns the links over a relation that is no property.
  private func links(_ relation: Followed, _ content: JSONValue) -> ConfiguredComparison? {
    let elements = content.elements ?? [content]
    let values = elements.compactMap { value -> ConfiguredComparison.Value? in
      guard case .object(let members) = value.content, members.count == 1,
        let (key, link) = members.first, key == "link"
      else {
        reader.note(
          "\(title) compares '\(relation.name)' with \(value.kind), and a relation to several objects is followed by "
            + "{\"link\": …}",
          at: value.place
        )
        return nil
      }
      return self.link(relation, link, at: value.place)
    }
    guard !values.isEmpty, values.count == elements.count else { return nil }
    return ConfiguredComparison(
      name: relation.name,
      property: nil,
      form: .integer(size: 8, isUnsigned: true),
      test: .equal,
      values: values
    )
  }

  /// Returns the comparisons of the objects that a relation leads to; notes faults.
  private func link(
    _ relation: Followed,
    _ value: JSONValue,
    at place: JSONPlace
  ) -> ConfiguredComparison.Value? {
    let target = model.entities.first { $0.name == relation.target && $0.isSynchronized }
    guard let target else {
      reader.note(
        "\(title) follows '\(relation.name)' to '\(relation.target)', which the model does not synchronize; annotate "
          + "'\(relation.target)' with 'objectbox: sync'",
        at: place
      )
      return nil
    }
    let reading = Self(
      reader: reader,
      model: model,
      entity: target,
      title: title,
      followsBacklinks: followsBacklinks,
      hasUsers: hasUsers
    )
    let info = EntityInfo(name: target.name, id: target.identity.id)
    switch value.content {
    case .object: return .link(relation.end, info, [reading.comparisons(value)])
    case .array(let elements) where !elements.isEmpty:
      return .link(relation.end, info, elements.map(reading.comparisons))
    default:
      reader.note(
        "\(title) follows '\(relation.name)' by \(value.kind), and an object with properties of '\(target.name)', or a "
          + "list of such objects is expected",
        at: value.place
      )
      return nil
    }
  }

  private func expected(_ form: ValueForm) -> String {
    switch form {
    case .boolean: "true, false"
    case .text, .texts: "a text"
    case .float, .double: "a number"
    default: "a whole number that the property can have"
    }
  }
}
