/// Writes a sequence of ascending numbers in the form of ``NumberTable``.
struct NumberTableWriter {
  private let table: IndexTable
  private let run: UInt32
  private let kind: ValueKind
  /// Added to the numbers of chunks.
  private let firstChunk: UInt32
  private let directory: StreamWriter
  private(set) var count: Int
  /// The numbers of the current chunk; `.max` stands for none if `hasNone`.
  private var numbers: [UInt64] = []
  private var hasNone = false
  /// The base of a chunk that begins without a number.
  private var nextNumber: UInt64 = 0

  /// Begins a table, or continues one that has `count` numbers.
  init(
    _ table: IndexTable,
    _ run: UInt32,
    _ kind: ValueKind,
    directory directoryKind: ValueKind,
    firstChunk: UInt32 = 0,
    count: Int = 0
  ) throws(FullTextError) {
    self.table = table
    self.run = run
    self.kind = kind
    self.firstChunk = firstChunk
    self.count = count
    let chunk = count / NumberTable.chunkCount
    directory = try StreamWriter(
      table,
      run,
      directoryKind,
      size: UInt64(chunk * NumberTable.entrySize),
      firstChunk: firstChunk
    )
    numbers.reserveCapacity(NumberTable.chunkCount)
    let rest = count % NumberTable.chunkCount
    guard rest > 0 else { return }
    let known = try NumberTable.read(
      table,
      run,
      kind,
      directory: directoryKind,
      firstChunk: firstChunk,
      chunk: chunk,
      count: rest
    )
    nextNumber = known.base
    for index in 0..<rest {
      if let number = known.numberOrNone(at: index) { numbers.append(number) } else { addNone() }
    }
  }

  /// Adds a number above all earlier ones.
  mutating func append(_ number: UInt64) throws(FullTextError) {
    if numbers.isEmpty { nextNumber = number }
    numbers.append(number)
    try didAppend()
  }

  /// Adds an index without a number.
  ///
  /// - Parameter next: The number that would follow.
  /// - Throws: ``FullTextError`` when the table cannot be written.
  mutating func appendNone(next: UInt64) throws(FullTextError) {
    if numbers.isEmpty { nextNumber = next }
    addNone()
    try didAppend()
  }

  private mutating func addNone() {
    numbers.append(.max)
    hasNone = true
  }

  private mutating func didAppend() throws(FullTextError) {
    count += 1
    if numbers.count < NumberTable.chunkCount { return }
    try writeChunk(number: UInt32(count / NumberTable.chunkCount - 1))
    try directory.append(entry: NumberTable.encode(numbers, hasNone, base: nextNumber).entry)
    numbers.removeAll(keepingCapacity: true)
    hasNone = false
  }

  private func writeChunk(number: UInt32) throws(FullTextError) {
    let offsets = NumberTable.encode(numbers, hasNone, base: nextNumber).offsets
    if offsets.isEmpty { return }
    let (table, run, kind, number) = (table, run, kind, firstChunk + number)
    try offsets.withBytes { bytes throws(FullTextError) in try table.put(run, kind, number, bytes) }
  }

  /// Writes the last chunk; the table can be continued later.
  func finish() throws(FullTextError) {
    if !numbers.isEmpty {
      try writeChunk(number: UInt32(count / NumberTable.chunkCount))
      try directory.append(entry: NumberTable.encode(numbers, hasNone, base: nextNumber).entry)
    }
    try directory.finish()
  }
}

extension StreamWriter {
  fileprivate func append(entry: [UInt8]) throws(FullTextError) {
    try entry.withBytes { bytes throws(FullTextError) in try append(bytes) }
  }
}

extension NumberTable {
  /// Returns the directory's entry for numbers, and their offsets.
  ///
  /// - Parameters:
  ///   - numbers: Ascending numbers; `.max` stands for none if `hasNone`.
  ///   - hasNone: Whether any number stands for none.
  ///   - base: The least number.
  /// - Returns: The bytes.
  static func encode(
    _ numbers: [UInt64],
    _ hasNone: Bool,
    base: UInt64
  ) -> (entry: [UInt8], offsets: [UInt8]) {
    var greatest = base
    for number in numbers.reversed() where !hasNone || number != .max {
      greatest = number
      break
    }
    let span = greatest - base
    let width =
      !hasNone && span == UInt64(max(numbers.count, 1) - 1)
      ? 0 : span < 1 << 16 - 1 ? 2 : span < 1 << 32 - 1 ? 4 : 8
    var entry = [UInt8](repeating: 0, count: entrySize)
    entry.withUnsafeMutableBytes { $0.storeBytes(of: base.littleEndian, as: UInt64.self) }
    entry[8] = UInt8(width)
    if width == 0 { return (entry, []) }
    let offsets = [UInt8](unsafeUninitializedCapacity: numbers.count * width) { room, count in
      let bytes = UnsafeMutableRawBufferPointer(room)
      for (index, number) in numbers.enumerated() {
        let offset = hasNone && number == .max ? Chunk.none(width) : number - base
        switch width {
        case 2:
          bytes.storeBytes(
            of: UInt16(truncatingIfNeeded: offset).littleEndian,
            toByteOffset: index * 2,
            as: UInt16.self
          )
        case 4:
          bytes.storeBytes(
            of: UInt32(truncatingIfNeeded: offset).littleEndian,
            toByteOffset: index * 4,
            as: UInt32.self
          )
        default:
          bytes.storeBytes(of: offset.littleEndian, toByteOffset: index * 8, as: UInt64.self)
        }
      }
      count = numbers.count * width
    }
    return (entry, offsets)
  }

  /// Reads a chunk of a table; its offsets are valid until the next write.
  ///
  /// - Parameters:
  ///   - table: The table of the index.
  ///   - run: The run.
  ///   - kind: The kind of the offsets.
  ///   - directory: The kind of the directory.
  ///   - firstChunk: The number of the table's first chunk.
  ///   - chunk: The number of the chunk in the table.
  ///   - count: The number of numbers that the chunk must have at least.
  /// - Returns: The chunk.
  /// - Throws: ``FullTextError`` for damaged bytes.
  static func read(
    _ table: IndexTable,
    _ run: UInt32,
    _ kind: ValueKind,
    directory: ValueKind,
    firstChunk: UInt32 = 0,
    chunk: Int,
    count: Int
  ) throws(FullTextError) -> Chunk {
    let (value, index) = chunk.quotientAndRemainder(dividingBy: entriesPerValue)
    guard let entries = try table.value(run, directory, firstChunk + UInt32(value)),
      entries.count >= (index + 1) * entrySize, let bytes = entries.baseAddress,
      var found = Chunk(entry: bytes + index * entrySize)
    else { throw .damaged(run: run, "entry \(chunk) of '\(directory)'") }
    if found.width == 0 { return found }
    guard let offsets = try table.value(run, kind, firstChunk + UInt32(chunk)),
      offsets.count >= count * found.width
    else { throw .damaged(run: run, "chunk \(chunk) of '\(kind)'") }
    found.offsets = offsets
    return found
  }
}
