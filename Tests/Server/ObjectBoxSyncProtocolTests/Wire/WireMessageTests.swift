import ObjectBoxSyncProtocol
import ObjectBoxTestSupport
import Testing

struct WireMessageTests {
  @Test func `each kind of message is read as it was written`() throws {
    for seed in 0..<200 {
      var messages = RandomMessages(seed: seed)
      for message in messages.all() {
        #expect(try WireMessage(decoding: message.encoded()) == message, "seed \(seed)")
      }
    }
  }

  @Test func `a message that ends early, or goes on, is refused`() {
    var messages = RandomMessages(seed: 1)
    for message in messages.all() + messages.all() {
      let bytes = message.encoded()
      for count in 0..<bytes.count {
        #expect(throws: WireError.self) {
          try WireMessage(decoding: Array(bytes.prefix(count)))
        }
      }
      #expect(throws: WireError.self) { try WireMessage(decoding: bytes + [0]) }
    }
  }

  @Test func `changed bytes are refused, or are a message that is read as it is written`() throws {
    var random = SplitMix(seed: 7)
    var refused = 0
    var changed = 0
    for seed in 0..<40 {
      var messages = RandomMessages(seed: seed)
      for message in messages.all() {
        var bytes = message.encoded()
        let index = Int.random(in: bytes.indices, using: &random)
        bytes[index] ^= UInt8.random(in: 1 ... .max, using: &random)
        do {
          let other = try WireMessage(decoding: bytes)
          #expect(try WireMessage(decoding: other.encoded()) == other)
          changed += 1
        } catch {
          refused += 1
        }
      }
    }
    #expect(refused > 20 && changed > 20)
  }

  /// An upload of one insert with as many values.
  private func upload(of values: [PropertyValue]) -> Upload {
    let list = PropertyList(
      values.enumerated().map { (PropertyUID(UInt64($0.offset + 1)), $0.element) }
    )
    return Upload(
      device: Example.device(1),
      seen: .distantPast,
      transactions: [
        SyncTransaction(
          sequence: 1,
          token: TransactionToken(Identifier128(high: 0, low: 1)),
          previous: nil,
          time: .distantPast,
          operations: [.insert(Example.key(1), list, .assigned)]
        )
      ]
    )
  }

  @Test func `a message with more elements than its reader takes is not read`() throws {
    // The transaction, the operation, and the values.
    let bytes = WireMessage.upload(upload(of: Array(repeating: .null, count: 1_000))).encoded()
    _ = try WireMessage(decoding: bytes, limit: WireLimit(elements: 1_002, remedy: ""))
    let error = #expect(throws: WireError.self) {
      try WireMessage(decoding: bytes, limit: WireLimit(elements: 1_001, remedy: "send less"))
    }
    #expect(error?.isExcess == true)
    #expect(error?.found == "it has more than 1001 elements; send less")
    // Bytes are no elements.
    let large = WireMessage.upload(upload(of: [.bytes(Array(repeating: 0, count: 5_000))]))
    _ = try WireMessage(decoding: large.encoded(), limit: WireLimit(elements: 3, remedy: ""))
  }

  @Test func `an operation counts for each begun 16 values`() {
    for (count, weight) in [(0, 1), (1, 1), (16, 1), (17, 2), (1_000, 63)] {
      let upload = upload(of: Array(repeating: .null, count: count))
      #expect(upload.operationCount == weight)
    }
  }

  @Test func `ranges for later that begin before the others end are refused`() {
    let range = KeyRange(Example.entity, 5...9)
    let cursor = Cursor(
      snapshot: TransactionSnapshot(xmax: 10, inProgress: []),
      epoch: Epoch(system: 1, database: 1, timeline: 1),
      position: 10
    )
    let state = StateKey(device: Example.device(1), edition: 3)
    for rest in [KeyRange(Example.entity, 9...12), KeyRange(EntityUID(0), 10...12)] {
      let messages: [WireMessage] = [
        .digests(
          Digests(
            deltaRequest: DeltaRequest(
              state: state,
              cursor: cursor,
              scopes: ScopeProgress(),
              confirmed: 0
            ),
            epoch: cursor.epoch,
            ranges: RangeDigests(wanting: [range]),
            rest: [rest]
          )
        ),
        .refine(
          Refine(
            state: state,
            base: ComparisonBase(cursor: cursor, scopes: ScopeProgress()),
            ranges: [range],
            size: 1,
            rest: [rest]
          )
        ),
      ]
      for message in messages {
        #expect(throws: WireError.self) { try WireMessage(decoding: message.encoded()) }
      }
    }
  }

  @Test func `counts that the bytes cannot hold are refused`() throws {
    var writer = WireWriter()
    writer.append(byte: 4)
    writer.append(Example.device(1))
    writer.append(HybridTime.distantPast)
    writer.append(UInt64.max)
    let error = #expect(throws: WireError.self) { try WireMessage(decoding: writer.bytes) }
    #expect(error?.description.contains("18446744073709551615 elements should follow") == true)
  }

  @Test func `an unknown kind is told with its position`() {
    let error = #expect(throws: WireError.self) { try WireMessage(decoding: [99]) }
    #expect(
      error?.description
        == "byte 1 of a message of synchronization: 99 is no kind of a message"
    )
  }

  @Test func `an update without a base has no byte for it`() throws {
    let update = Operation.update(Example.object(5, originID: 1), PropertyList())
    var expected = WireWriter()
    expected.append(byte: 2)
    expected.append(Example.object(5, originID: 1))
    expected.append(count: 0)
    var written = WireWriter()
    written.append(update)
    #expect(written.bytes == expected.bytes)
  }

  @Test(arguments: [0, UInt64(Int64.max) + 1, .max])
  func `an ID that no object has is refused`(id: UInt64) {
    var writer = WireWriter()
    writer.append(EntityUID(1))
    writer.append(id)
    #expect(throws: WireError.self) {
      var reader = WireReader(writer.bytes)
      _ = try reader.value(ObjectKey.self)
    }
  }

  @Test(arguments: [(0, 1), (5, 0), (UInt64(Int64.max), 2), (.max, .max)] as [(UInt64, UInt64)])
  func `a block without IDs, or with IDs that no object has, is refused`(
    first: UInt64,
    count: UInt64
  ) {
    var writer = WireWriter()
    writer.append(EntityUID(1))
    writer.append(first)
    writer.append(count)
    #expect(throws: WireError.self) {
      var reader = WireReader(writer.bytes)
      _ = try reader.value(IDBlock.self)
    }
  }

  @Test func `ranges with IDs that no object has, or in another order, are refused`() throws {
    let last = UInt64(Int64.max) - 1
    // The entity, and numbers of its ranges: twice the length, 1 more with a gap, and the gap.
    let wrong: [[(UInt64, [UInt64])]] = [
      [(1, [last << 1 | 1, 1])], [(1, [1, .max])], [(1, [.max - 1])], [(1, [last << 1, 0])],
      [(2, [0]), (1, [0])], [(1, [0]), (1, [0])],
    ]
    func read(_ entities: [(UInt64, [UInt64])]) throws -> [KeyRange] {
      var writer = WireWriter()
      writer.append(count: entities.count)
      for (entity, numbers) in entities {
        writer.append(EntityUID(entity))
        let hasGap = numbers[0] & 1 == 1
        writer.append(count: hasGap ? 1 : numbers.count)
        for number in numbers { writer.append(number) }
      }
      var reader = WireReader(writer.bytes)
      return try reader.ranges()
    }
    for entities in wrong { #expect(throws: WireError.self) { try read(entities) } }
    #expect(try read([(1, [last << 1])]) == [KeyRange(allOf: EntityUID(1))])
    #expect(
      try read([(1, [0, 2 << 1]), (2, [1, 6])])
        == [
          KeyRange(EntityUID(1), 1...1), KeyRange(EntityUID(1), 2...4),
          KeyRange(EntityUID(2), 7...7),
        ]
    )
  }

  @Test func `digests of ranges with a size beyond all numbers are refused`() {
    var writer = WireWriter()
    writer.append(UInt64(1) << 63)
    writer.append(ranges: [])
    let error = #expect(throws: WireError.self) {
      var reader = WireReader(writer.bytes)
      _ = try reader.value(RangeDigests.self)
    }
    #expect(error?.description.contains("9223372036854775808 is no size of ranges") == true)
  }

  @Test func `ranges whose objects are wanted travel without hashes`() throws {
    let digests = RangeDigests(wanting: [KeyRange(Example.entity, 1...9)])
    var writer = WireWriter()
    writer.append(digests)
    #expect(writer.bytes.count == 5)
    var reader = WireReader(writer.bytes)
    #expect(try reader.value(RangeDigests.self) == digests)
  }

  @Test func `lists in another order than the protocol's are refused`() {
    var properties = WireWriter()
    properties.append(count: 2)
    for property in [2, 1] as [UInt64] {
      properties.append(PropertyUID(property))
      properties.append(PropertyValue.null)
    }
    #expect(throws: WireError.self) {
      var reader = WireReader(properties.bytes)
      _ = try reader.value(PropertyList<PropertyValue>.self)
    }
    // Transaction 9 in progress at an xmax of 9, and the difference 0.
    for differences in [[9], [3, 0], [3, .max]] as [[UInt64]] {
      var snapshot = WireWriter()
      snapshot.append(9 as UInt64)
      snapshot.append(count: differences.count)
      for difference in differences { snapshot.append(difference) }
      #expect(throws: WireError.self) {
        var reader = WireReader(snapshot.bytes)
        _ = try reader.value(TransactionSnapshot.self)
      }
    }
  }

  @Test func `a batch tells entity, properties, origin ID and stamp once`() throws {
    let row = Example.row(originID: 1, at: 5, [(Example.title, .integer(7))])
    let rows = (1...1_000).map { KeyedRow(key: Example.key($0), row: row) }
    let batch = RowBatch(rows)
    #expect(Array(batch) == rows)
    // What differs, the ID's difference, and a value in two bytes.
    #expect(batch.byteCount - RowBatch(rows.prefix(1)).byteCount == 999 * 4)
    var joined = RowBatch(rows.prefix(10))
    joined.append(RowBatch(rows.dropFirst(10)))
    #expect(joined == batch && joined.isAscending && joined.latest == row.stamp.time)
    joined.append(RowBatch(rows.prefix(1)))
    #expect(!joined.isAscending && joined.count == 1_001)
  }

  // The first byte of an object, the entity 1, a list of properties, a difference of IDs, and a null.
  @Test(
    arguments: [
      [0, 1, 0], [32, 1, 0], [1, 1, 0, 0], [1, 1, 2, 2, 1, 1, 0, 0], [1, 1, 2, 1, 1, 1, 0, 0],
      [1, 1, 0] + Array(repeating: 0xFF, count: 9) + [1],
      [1, 1, 0] + Array(repeating: 0xFF, count: 8) + [0x7F, 0, 1],
    ] as [[UInt8]]
  )
  func `bytes that no object of a batch has are refused`(bytes: [UInt8]) throws {
    func read(_ bytes: [UInt8], count: UInt8) throws -> RowBatch {
      var reader = WireReader([count] + bytes)
      let batch = try reader.value(RowBatch.self)
      try reader.end()
      return batch
    }
    #expect(try read([1, 1, 1, 4, 9, 0, 0, 1, 0], count: 2).map(\.key.id) == [9, 10])
    #expect(throws: WireError.self) { try read(bytes, count: bytes.count > 11 ? 2 : 1) }
  }
}
