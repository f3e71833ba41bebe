internal import ObjectBox
internal import ObjectBoxSyncProtocol

/// The parts of a reset, as rows of the table until the reset's delta.
extension StoredDevice {
  /// The greatest number of objects in a piece: LMDB stores a large value in consecutive pages, and a file with many
  /// small free areas has none.
  private static let pieceCount = 1_000

  var stagingArea: StagingArea? {
    get throws { try storedStagingArea?.stagingArea }
  }

  private var storedStagingArea: StoredStagingArea? {
    get throws { try table.read(SyncKey(.stagingArea), in: storage) }
  }

  func append(_ part: ResetPart, to stagingArea: StagingArea) throws {
    try flushState()
    var count = try storedStagingArea?.pieces ?? 0
    var rows = part.rows.makeIterator()
    var rest = part.rows.count
    var ranges = part.ranges
    repeat {
      let next = min(rest, Self.pieceCount)
      var batch = RowBatch()
      while batch.count < next, let row = rows.next() { batch.append(row) }
      let piece = ResetPart(ranges: ranges, rows: batch)
      try table.set(piece, at: SyncKey(.piece, count), in: storage)
      (count, rest, ranges) = (count + 1, rest - next, [])
    } while rest > 0
    try table.set(
      StoredStagingArea(stagingArea: stagingArea, pieces: count),
      at: SyncKey(.stagingArea),
      in: storage
    )
  }

  func stagedPiece(at index: Int) throws -> ResetPart? {
    try table.read(SyncKey(.piece, UInt64(index)), in: storage)
  }

  func removeStagingArea() throws {
    guard try !table.isEmpty(SyncKey(.stagingArea), in: storage) else { return }
    try table.removeAll(.piece, in: storage)
    try table.remove(SyncKey(.stagingArea), in: storage)
  }
}

/// The head of the staged parts, with the number of their pieces.
private struct StoredStagingArea: WireValue {
  let stagingArea: StagingArea
  let pieces: UInt64

  init(stagingArea: StagingArea, pieces: UInt64) {
    self.stagingArea = stagingArea
    self.pieces = pieces
  }

  func write(to writer: inout WireWriter) {
    writer.append(stagingArea)
    writer.append(pieces)
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init(stagingArea: try reader.value(), pieces: try reader.number())
  }
}
