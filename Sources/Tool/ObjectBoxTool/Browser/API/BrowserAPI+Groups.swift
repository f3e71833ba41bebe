internal import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxJSON

extension BrowserAPI {
  /// The greatest number of characters of a shown value.
  private static let shownCharacters = 100

  /// Counts of the objects that match a condition, by the values of one property.
  func groups(_ parameters: Parameters) throws -> Members {
    let entity = try parameters.entity
    let property = try parameters.property(of: entity)
    guard ObjectGroups.isGroupable(property) else {
      throw Fault(422, "objects are not grouped by '\(property.name)': its values are too long")
    }
    let interval = parameters.text("interval").flatMap(ObjectGroups.Interval.init) ?? .day
    let condition = parameters.text("filter") ?? ""
    let query = try StoreQuery(entity.name, condition: condition, in: content.shape).query
    let (groups, labels) = try content.reading { version in
      let groups = try ObjectGroups(of: query, by: property, interval, in: version)
      var labels = ObjectLabels()
      if let target = property.targetEntityName, property.type == .relation {
        for group in groups.shown {
          if let id = group.text.flatMap({ UInt64($0) }), id > 0 { labels.add(id, of: target) }
        }
      }
      try labels.read(in: version, content.shape)
      return (groups, labels)
    }
    return labels.member + [
      ("objectCount", { $0.integer(groups.objectCount) }), ("isCut", { $0.boolean(groups.isCut) }),
      ("groupCount", { $0.integer(groups.groups.count) }),
      ("otherCount", { $0.integer(groups.otherCount) }),
      ("groups", { $0.list(groups.shown) { $0.object(Self.members(of: $1, condition)) } }),
    ]
  }

  private static func members(of group: ObjectGroups.Group, _ condition: String) -> Members {
    let text = group.text.map { CellText.line($0, atMost: shownCharacters) }
    let filter = group.condition.map { own in
      condition.allSatisfy(\.isWhitespace) ? own : "(\(condition)) && \(own)"
    }
    return [
      ("text", { $0.string(orNull: text) }), ("count", { $0.integer(group.count) }),
      ("filter", { $0.string(orNull: filter) }),
    ]
  }
}
