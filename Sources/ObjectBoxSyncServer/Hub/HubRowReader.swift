internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// Reads objects of one entity from rows of the database.
struct HubRowReader {
  private let entity: SyncedEntity
  /// The properties by ascending UIDs, and their columns.
  private let properties: [PropertyUID]
  private let columns: [(place: Int, kind: ColumnKind)]

  init(_ entity: SyncedEntity) {
    self.entity = entity
    let columns = entity.table.columns
    // The first one is the ID.
    let order = columns.indices.dropFirst().sorted { columns[$0].uid < columns[$1].uid }
    properties = order.map { columns[$0].uid }
    self.columns = order.map { ($0, columns[$0].kind) }
  }

  /// Reads one row of a SELECT of the table's columns and those of ``HubColumns``.
  ///
  /// - Parameters:
  ///   - result: The rows.
  ///   - number: The number of the row.
  /// - Returns: The ID and the object without its pairs; nil without an ID.
  /// - Throws: ``HubError`` `corrupt` for stamps that cannot be read.
  func object(_ result: ResultRows, _ number: Int) throws -> (id: UInt64, row: Row)? {
    guard let id = result.integer(number, 0, as: UInt64.self) else { return nil }
    let own = columns.count + 1
    let row = Row(
      birth: BirthMark(result.integer(number, own, as: UInt64.self) ?? 0),
      values: PropertyList(ascending: properties) { index in
        HubValue.value(result.bytes(number, columns[index].place), columns[index].kind)
      },
      stamp: try stamp(result.byteArray(number, own + 1)),
      stamps: try stamps(result.byteArray(number, own + 2))
    )
    return (id, row)
  }

  /// Returns about the number of bytes that an object takes in a message.
  func size(_ result: ResultRows, _ number: Int) -> Int {
    result.checkHas(number..<number + 1, columns: 0..<result.columnCount)
    // Each value has its property's UID and its kind.
    return (0..<result.columnCount).reduce(10 * result.columnCount) { size, column in
      size + (result.uncheckedBytes(number, column)?.count ?? 0)
    }
  }

  private func stamp(_ bytes: [UInt8]?) throws -> Stamp {
    guard let bytes else { return .none }
    return try Stamp(hubBytes: bytes, "the stamp of an object of '\(entity.name)'")
  }

  private func stamps(_ bytes: [UInt8]?) throws -> PropertyList<Stamp> {
    guard let bytes else { return PropertyList() }
    return try PropertyList(hubBytes: bytes, "the stamps of an object of '\(entity.name)'")
  }
}
