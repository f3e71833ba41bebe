internal import ObjectBox

/// An entity of a damaged file: the form of its records, and its known IDs.
///
/// Owns layouts that readers point into.
final class SalvageEntity {
  /// The state of a record.
  enum State {
    case right
    /// It has the form of a record, but another checksum.
    case changed
    /// It is not a record; the text continues "the record".
    case unreadable(String)
  }

  /// The entity's index in the schema.
  let index: Int
  let schema: EntitySchema
  private let layouts: [RecordLayout]
  private let check: RecordVerification

  /// The highest ID found.
  private(set) var highestID: UInt64
  /// True when pages are missing after the highest ID found.
  var isEndMissing = false

  init(_ schema: EntitySchema, index: Int, _ source: SalvageSchema) {
    self.index = index
    self.schema = schema
    let id = schema.identity.id
    let definitions = source.layouts[id] ?? []
    let checksum = RecordChecksum(entityUID: schema.identity.uid)
    layouts = definitions.map {
      RecordLayout($0, hiding: $0.hiddenIDs(in: schema), checksum: checksum)
    }
    check = RecordVerification(schema, layouts: definitions, checksum: checksum)
    highestID = source.sequences[id] ?? 0
  }

  var name: String { schema.name }

  func state(of record: UnsafeRawBufferPointer, id: UInt64) -> State {
    if id == 0 || id > EntityTable.maximumID { return .unreadable("has an ID that none has") }
    if let fault = check.layoutFault(in: record) { return .unreadable(fault) }
    return check.isRight(record, id: id) ? .right : .changed
  }

  /// Returns a reader of a readable record, valid while the record and this object exist.
  func reader(_ record: UnsafeRawBufferPointer, id: UInt64) -> RecordReader? {
    guard let number = RecordLayout.number(of: record), Int(number) < layouts.count else {
      return nil
    }
    return RecordReader(record: record, id: id, layout: layouts[Int(number)].view)
  }

  /// Records an ID of an object that exists or existed.
  ///
  /// - Parameters:
  ///   - id: The ID.
  ///   - isProven: False for an ID without a checksum: it may be damaged, and a false ID near the
  ///     greatest one would leave none to assign.
  func note(id: UInt64, isProven: Bool) {
    guard id > highestID, id <= (isProven ? EntityTable.maximumID : EntityTable.maximumID >> 1)
    else { return }
    highestID = id
  }

  /// Reserves IDs for missing objects after the highest ID found.
  func skipMissingIDs(_ count: Int) {
    let room = max(
      1 << 20,
      UInt64(clamping: count).multipliedReportingOverflow(by: 16).partialValue
    )
    note(id: highestID.addingReportingOverflow(room).partialValue, isProven: false)
  }
}
