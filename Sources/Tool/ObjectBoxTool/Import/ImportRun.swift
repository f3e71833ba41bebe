internal import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxJSON

/// Stores the objects of a file.
///
/// The caller handles rejected records; the run continues with the next record.
struct ImportRun {
  private let entity: DumpEntity
  private let records: ImportRecords
  private let merging: ImportMerging
  private(set) var numbers = NumbersOf1970()
  private(set) var stored = 0
  /// The number of stored objects that are new; counted for updates, where a wrong ID makes an object.
  private(set) var new = 0
  private(set) var isAtEnd = false

  /// - Parameters:
  ///   - entity: The entity of the objects, with its index in the store's schema.
  ///   - records: The objects.
  ///   - merging: The meaning of lines that leave out values of stored objects.
  init(_ entity: DumpEntity, _ records: ImportRecords, _ merging: ImportMerging) {
    self.entity = entity
    self.records = records
    self.merging = merging
  }

  /// Stores objects until a number is reached, or the file ends.
  ///
  /// - Parameters:
  ///   - writing: An open write transaction.
  ///   - size: The number of objects; nil for all.
  ///   - reject: Gets a rejected object. If it throws, the run ends.
  ///   - progress: Gets the number of stored objects from time to time.
  /// - Throws: ``ObjectBoxError`` when the store cannot be written, and the errors of the functions.
  mutating func storeBatch(
    _ writing: StoredWriting,
    size: Int?,
    reject: (Rejected) throws -> Void,
    progress: (Int) throws -> Void
  ) throws {
    let end = size.map { stored + $0 }
    var next = try writing.nextID(entity: entity.index)
    while end.map({ stored < $0 }) ?? true {
      do {
        guard let record = try records.next() else {
          isAtEnd = true
          break
        }
        let id = try store(record, next, writing)
        next = max(next, id + 1)
        stored += 1
        if stored.isMultiple(of: 256) { try progress(stored) }
      } catch let rejected as Rejected {
        try reject(rejected)
      }
    }
    try progress(stored)
  }

  /// Stores an object, and returns its ID.
  private mutating func store(
    _ record: ImportRecord,
    _ next: UInt64,
    _ writing: StoredWriting
  ) throws -> UInt64 {
    do {
      let own = try id(record)
      guard own != nil || next < .max else {
        throw LineFault(
          "the IDs of '\(entity.name)' are used up, since \(next - 1) has been used, the greatest there is; give "
            + "the object a free ID",
          at: record.place
        )
      }
      let id = own ?? next
      let others = merging == .replace ? [] : fieldsLeftOut(record)
      let needsFormer = own != nil && (merging == .update || !others.isEmpty)
      let former = try needsFormer ? writing.record(entity: entity.index, id: id) : nil
      let isNew = merging == .update && former == nil
      let kept = former.map { former in others.filter { !former.isNull($0.property) } } ?? []
      if merging == .none, !kept.isEmpty {
        let loss = ImportLoss(entity: entity.name, id: id, names: kept.map(\.property.name))
        throw Rejected(LineFault(loss.text(), at: record.place), record, loss: loss)
      }
      var given = Set(merging == .update ? kept.map(\.property.identity.id) : [])
      var numbers = numbers
      try writing.put(entity: entity.index, id: id, keepsOthers: merging == .update) { set in
        for (name, value) in record.values where name != entity.idKey {
          guard let field = entity.fields.first(where: { $0.property.name == name }) else {
            continue
          }
          if case .null = value.content {
            set(field.property, .null)
            continue
          }
          given.insert(field.property.identity.id)
          try numbers.check(value, field.property, isText: records.format == .csv)
          try Self.dated(value, field.property)
            .withExact(as: field.form, "'\(entity.name).\(name)'") { set(field.property, $0) }
        }
        for field in entity.fields
        where field.property.has(.notNull) && !given.contains(field.property.identity.id) {
          throw LineFault(
            "'\(entity.name).\(field.property.name)' is missing, and must not be null",
            at: record.place
          )
        }
      }
      self.numbers = numbers
      if isNew { new += 1 }
      return id
    } catch let fault as LineFault {
      throw Rejected(fault, record)
    } catch let error as ObjectBoxError where error.isOfValue {
      throw Rejected(LineFault(error.message, at: record.place), record)
    }
  }

  /// Returns the fields that a record does not name.
  private func fieldsLeftOut(_ record: ImportRecord) -> [DumpEntity.Field] {
    let names = Set(record.values.map(\.name))
    return entity.fields.filter { !names.contains($0.property.name) }
  }

  /// The ID of a record; nil when it needs a new one.
  private func id(_ record: ImportRecord) throws -> UInt64? {
    guard let value = record.values.first(where: { $0.name == entity.idKey })?.value else {
      return nil
    }
    if case .null = value.content { return nil }
    guard let id = value.integer(UInt64.self), id < .max else {
      throw LineFault(
        "'\(entity.name).\(entity.idKey)' is \(value.kind), and an ID from 1 to \(UInt64.max - 1) is expected, "
          + "or nothing for a new one",
        at: value.place
      )
    }
    return id == 0 ? nil : id
  }

  /// Converts a date to the number used in dumps.
  static func dated(_ value: JSONValue, _ property: PropertySchema) throws -> JSONValue {
    guard [.date, .dateNano].contains(property.type), let text = value.string else { return value }
    guard let ticks = DateText.ticks(text, isNano: property.type == .dateNano) else {
      throw LineFault(
        "'\(property.name)' is \(value.kind), and a date such as 1990-01-31T12:30:15Z is expected",
        at: value.place
      )
    }
    var value = value
    value.content = .number("\(ticks)")
    return value
  }
}
