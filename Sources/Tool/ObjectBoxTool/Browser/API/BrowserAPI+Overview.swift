internal import ObjectBox
internal import ObjectBoxJSON

extension BrowserAPI {
  /// The schema, and the number of objects of each entity.
  func overview() throws -> Members {
    let schema = content.schema
    let (version, counts) = try content.reading { ($0.number, try $0.counts()) }
    let label = content.label
    let sync = try syncMember()
    return sync + [
      ("store", { $0.string(label.address) }), ("name", { $0.string(label.name) }),
      ("isDatabase", { $0.boolean(label.isDatabase) }), ("version", { $0.string(version) }),
      ("isWritable", { $0.boolean(isWritable) }),
      (
        "entities",
        { writer in
          writer.list(Array(zip(schema.entities, counts))) { writer, element in
            writer.object(members(of: element.0, count: element.1, in: schema))
          }
        }
      ),
    ]
  }

  private func members(
    of entity: EntitySchema,
    count: (count: Int, isEstimate: Bool),
    in schema: StoreSchema
  ) -> Members {
    [
      ("name", { $0.string(entity.name) }), ("identity", { $0.string(entity.identity.text) }),
      ("count", { $0.integer(count.count) }), ("isEstimate", { $0.boolean(count.isEstimate) }),
      ("label", { $0.string(orNull: entity.labelProperty?.name) }),
      (
        "properties",
        { writer in
          writer.list(entity.properties) { writer, property in
            writer.object(members(of: property))
          }
        }
      ),
      (
        "indexes",
        { writer in
          writer.list(entity.compoundIndexes) { writer, index in
            writer.object([
              ("isUnique", { $0.boolean(index.isUnique) }),
              ("properties", { $0.list(entity.names(of: index.propertyIDs)) { $0.string($1) } }),
            ])
          }
        }
      ),
      (
        "textIndexes",
        { writer in
          writer.list(entity.fullTextIndexes) { writer, index in
            let names = entity.names(of: index.parts.map(\.propertyID))
            writer.object([
              ("name", { $0.string(index.title(in: entity)) }),
              ("properties", { $0.list(names) { $0.string($1) } }),
            ])
          }
        }
      ),
      (
        "relations",
        { writer in
          writer.list(entity.relations) { writer, relation in
            let target = schema.name(ofEntity: relation.target.id)
            writer.object([
              ("name", { $0.string(relation.title) }), ("target", { $0.string(target) }),
            ])
          }
        }
      ),
    ]
  }

  private func members(of property: PropertySchema) -> Members {
    let column = CellText(property)
    return [
      ("name", { $0.string(property.name) }), ("identity", { $0.string(property.identity.text) }),
      ("type", { $0.string(property.typeName) }),
      ("kind", { $0.string(property.browserKind) }),
      ("isId", { $0.boolean(property.has(.id)) }),
      ("isNumber", { $0.boolean(column.isNumber) }),
      ("isSortable", { $0.boolean(TableOrder.isSortable(property)) }),
      ("isGroupable", { $0.boolean(ObjectGroups.isGroupable(property)) }),
      ("isRequired", { $0.boolean(property.has(.notNull)) }),
      ("isUnique", { $0.boolean(property.has(.unique)) }),
      ("hasIndex", { $0.boolean(property.index != nil) }),
      (
        "target",
        { $0.string(orNull: property.type == .relation ? property.targetEntityName : nil) }
      ),
      ("dimensions", { $0.integer(property.hnsw?.dimensions ?? 0) }),
      ("remarks", { $0.list(property.remarks) { $0.string($1) } }),
    ]
  }
}

extension PropertySchema {
  /// The way in which the page shows and edits the values.
  fileprivate var browserKind: String {
    switch type {
    case .date, .dateNano: return "date"
    case .relation: return "relation"
    default: break
    }
    return switch ValueForm(self) {
    case .boolean: "boolean"
    case .integer, .float, .double: "number"
    case .text, .decimal: "text"
    case .uuid: "uuid"
    case .bytes: "bytes"
    case .floats, .doubles, .integers: "vector"
    case .booleans, .texts: "list"
    }
  }
}
