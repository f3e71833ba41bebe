internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// Reads objects of one entity from rows of the database.
struct ServerRowReader {
  private let entity: SyncedEntity
  /// The properties by ascending UIDs, and their columns.
  private let properties: [PropertyUID]
  private let columns: [(place: Int, kind: ColumnKind)]
  /// The last stamp and its bytes: objects of one transaction often follow each other.
  private var lastStamp: (bytes: [UInt8], stamp: Stamp) = ([], .none)
  /// Created once, since each use of the generic type from this module looks it up.
  private let noStamps = PropertyList<Stamp>()

  init(_ entity: SyncedEntity) {
    self.entity = entity
    let columns = entity.table.columns
    // The first column is the ID.
    let order = columns.indices.dropFirst().sorted { columns[$0].uid < columns[$1].uid }
    properties = order.map { columns[$0].uid }
    self.columns = order.map { ($0, columns[$0].kind) }
  }

  /// Reads one row of a SELECT of the table's columns and the columns of ``ServerColumns``.
  ///
  /// - Parameters:
  ///   - result: The rows.
  ///   - number: The number of the row.
  /// - Returns: The ID and the object without its pairs; nil without an ID.
  /// - Throws: ``ServerLogError`` `corrupt` for stamps that cannot be read.
  mutating func object(_ result: ResultRows, _ number: Int) throws -> (id: UInt64, row: Row)? {
    guard let id = result.integer(number, 0, as: UInt64.self) else { return nil }
    let stamp = try stamp(result, number)
    let row = Row(
      originID: originID(result, number),
      values: PropertyList(ascending: properties) { index in
        ServerValue.value(result.bytes(number, columns[index].place), columns[index].kind)
      },
      stamp: stamp,
      stamps: try stamps(result, number, over: stamp)
    )
    return (id, row)
  }

  /// Adds rows of such a SELECT to a batch, without creating objects.
  ///
  /// - Parameters:
  ///   - result: The rows, by ascending IDs.
  ///   - numbers: The numbers of the rows to add.
  ///   - pairs: The pairs of the objects.
  ///   - batch: Gets the objects.
  /// - Throws: ``ServerLogError`` `corrupt` for stamps that cannot be read.
  mutating func append(
    _ result: ResultRows,
    _ numbers: Range<Int>,
    _ pairs: ServerPairs,
    to batch: inout RowBatch
  ) throws {
    result.checkHas(numbers, columns: 0..<columns.count + 1 + ServerColumns.count)
    let (uid, hasPairs) = (entity.uid, !entity.pairs.isEmpty)
    for number in numbers {
      guard let id = result.uncheckedBytes(number, 0).map(ServerValue.number) else { continue }
      let stamp = try stamp(result, number)
      batch.append(
        ObjectKey(entity: uid, id: id),
        properties,
        originID: originID(result, number),
        stamp: stamp,
        stamps: try stamps(result, number, over: stamp),
        pairs: hasPairs ? pairs[id] : []
      ) { writer in
        for column in columns {
          ServerValue.write(result.uncheckedBytes(number, column.place), column.kind, to: &writer)
        }
      }
    }
  }

  private func originID(_ result: ResultRows, _ number: Int) -> OriginID {
    OriginID(result.bytes(number, columns.count + 1).map(ServerValue.number) ?? 0)
  }

  private mutating func stamp(_ result: ResultRows, _ number: Int) throws -> Stamp {
    guard let bytes = result.bytes(number, columns.count + 2) else { return .none }
    if !bytes.elementsEqual(lastStamp.bytes) {
      let copy = Array(bytes)
      let stamp = try PlainStamps.stamp(copy, "the stamp of an object of '\(entity.name)'")
      lastStamp = (copy, stamp)
    }
    return lastStamp.stamp
  }

  private func stamps(
    _ result: ResultRows,
    _ number: Int,
    over object: Stamp
  ) throws -> PropertyList<Stamp> {
    guard let bytes = result.byteArray(number, columns.count + 3) else { return noStamps }
    return try PlainStamps.stamps(
      bytes,
      over: object,
      "the stamps of an object of '\(entity.name)'"
    )
  }
}
