internal import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxJSON

extension EntitySchema {
  /// The text that identifies an object for people: the first unique text, else the first text; nil without a text.
  var labelProperty: PropertySchema? {
    let texts = properties.filter { ValueForm($0) == .text }
    return texts.first { $0.has(.unique) } ?? texts.first
  }
}

/// The labels of the objects that rows and values refer to, read with one query for each target entity.
struct ObjectLabels {
  /// The IDs to read, by the name of their entity.
  private var wanted: [String: Set<UInt64>] = [:]
  private var found: [String: [UInt64: String]] = [:]

  /// Adds the target of a to-one relation, if the value is one.
  mutating func add(_ property: PropertySchema, in record: RecordReader) {
    guard property.type == .relation, let target = property.targetEntityName,
      case .integer(let id) = record.exact(property), id != 0
    else { return }
    add(UInt64(bitPattern: id), of: target)
  }

  mutating func add(_ id: UInt64, of entity: String) { wanted[entity, default: []].insert(id) }

  /// Reads the labels; removed objects and empty texts have none.
  mutating func read(in version: any ContentVersion, _ shape: Store) throws {
    for (name, ids) in wanted {
      guard let index = shape.schema.index(ofEntity: name),
        let idName = shape.schema.entities[index].idProperty?.name,
        let label = shape.schema.entities[index].labelProperty
      else { continue }
      let text = CellText(label)
      let query = try shape.box(named: name).query { $0[idName].isIn(Array(ids)) }.build()
      try version.forEachRecord(of: query, after: nil, limit: 0) { record in
        guard let label = text.shown(in: record), !label.isEmpty else { return }
        found[name, default: [:]][record.objectID] = label
      }
    }
  }

  /// Returns the label of an object; nil for none.
  func label(_ id: UInt64, of entity: String) -> String? { found[entity]?[id] }

  /// The member of an answer: the labels by entity, then by ID.
  var member: BrowserAPI.Members {
    let entities: BrowserAPI.Members = found.sorted { $0.key < $1.key }.map { name, labels in
      let members: BrowserAPI.Members = labels.sorted { $0.key < $1.key }.map { id, label in
        ("\(id)", { $0.string(label) })
      }
      return (name, { $0.object(members) })
    }
    return [("labels", { $0.object(entities) })]
  }
}

extension BrowserAPI {
  /// The greatest number of IDs in a request for labels.
  private static let labelLimit = 500

  /// The labels of objects by their IDs, for forms.
  func labels(_ parameters: Parameters) throws -> Members {
    let entity = try parameters.entity
    var labels = ObjectLabels()
    for id in try parameters.ids.prefix(Self.labelLimit) { labels.add(id, of: entity.name) }
    try content.reading { try labels.read(in: $0, content.shape) }
    return labels.member
  }
}
