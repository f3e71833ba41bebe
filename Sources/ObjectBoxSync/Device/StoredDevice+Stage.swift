internal import ObjectBox
internal import ObjectBoxSyncProtocol

/// The parts of a reset, as rows of the table until the reset's cut.
extension StoredDevice {
  /// The greatest number of objects in a piece: LMDB stores a large value in consecutive pages, which
  /// a file with many small free areas lacks.
  private static let pieceCount = 1_000

  var stage: Stage? {
    get throws { try storedStage?.stage }
  }

  private var storedStage: StoredStage? {
    get throws { hasEarlierStage ? nil : try table.read(SyncKey(.stage), in: storage) }
  }

  func append(_ part: ResetPart, to stage: Stage) throws {
    // Its head would be written in the present form beside a state in an earlier one.
    if hasEarlierStage { setState(state) }
    try flushState()
    var count = try storedStage?.pieces ?? 0
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
    try table.set(StoredStage(stage: stage, pieces: count), at: SyncKey(.stage), in: storage)
  }

  func stagedPiece(at index: Int) throws -> ResetPart? {
    try table.read(SyncKey(.piece, UInt64(index)), in: storage)
  }

  func removeStage() throws {
    guard try !table.isEmpty(SyncKey(.stage), in: storage) else { return }
    try table.removeAll(.piece, in: storage)
    try table.remove(SyncKey(.stage), in: storage)
  }
}

/// The head of the staged parts, with the number of their pieces.
private struct StoredStage: WireValue {
  let stage: Stage
  let pieces: UInt64

  init(stage: Stage, pieces: UInt64) {
    self.stage = stage
    self.pieces = pieces
  }

  func write(to writer: inout WireWriter) {
    writer.append(stage)
    writer.append(pieces)
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init(stage: try reader.value(), pieces: try reader.number())
  }
}
