internal import Foundation
internal import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxJSON

/// The values with which the form of a new object begins.
///
/// Models of Swift programs have no defaults, and do not say which properties are optional. So a property begins with
/// the default of its type; with null, if it may be null and is null in one of the newest objects.
struct BlankObject {
  /// The number of the newest objects that are looked at.
  private static let sampleSize = 100

  let entity: EntitySchema
  /// The IDs of properties that are null in a looked-at object.
  private var nullable: Set<UInt32> = []

  init(_ entity: EntitySchema, in version: any ContentVersion, _ shape: Store) throws {
    self.entity = entity
    guard let idName = entity.idProperty?.name else { return }
    let newest = try shape.box(named: entity.name).query()
      .ordered(by: idName, flags: .descending).build()
    try version.forEachRecord(of: newest, after: nil, limit: Self.sampleSize) { record in
      for property in entity.properties {
        if record.isNull(property) { nullable.insert(property.identity.id) }
      }
    }
  }

  /// Returns the first value of a property, as the form has it; nil for null.
  func text(_ property: PropertySchema, at now: Date) -> String? {
    let isRequired = property.has(.notNull)
    if !isRequired, nullable.contains(property.identity.id) { return nil }
    switch property.type {
    case .relation: return "0"
    case .date, .dateNano:
      let milliseconds = Int64((now.timeIntervalSince1970 * 1_000).rounded(.down))
      let isNano = property.type == .dateNano
      return DateText.text(ticks: isNano ? milliseconds * 1_000_000 : milliseconds, isNano: isNano)
    // Without bytes, such a value cannot be read.
    case .flex: return nil
    default: break
    }
    switch ValueForm(property) {
    case .integer, .float, .double, .decimal: return "0"
    case .boolean: return "false"
    case .text, .bytes: return ""
    case .uuid: return UUID().uuidString.lowercased()
    case .floats, .doubles, .integers:
      guard let dimensions = property.hnsw?.dimensions else { return "[]" }
      // Only vectors of this length are in the index.
      let zeros = Array(repeating: "0", count: dimensions).joined(separator: ", ")
      return isRequired ? "[\(zeros)]" : nil
    case .booleans, .texts: return "[]"
    }
  }
}

extension BrowserAPI {
  /// The values with which the form of a new object begins.
  func blank(_ parameters: Parameters) throws -> Members {
    let entity = try parameters.entity
    let blank = try content.reading { try BlankObject(entity, in: $0, content.shape) }
    let now = Date()
    return [
      (
        "properties",
        { writer in
          writer.list(entity.properties) { writer, property in
            let text = property.has(.id) ? nil : blank.text(property, at: now)
            writer.object([
              ("name", { $0.string(property.name) }), ("text", { $0.string(orNull: text) }),
            ])
          }
        }
      )
    ]
  }
}
