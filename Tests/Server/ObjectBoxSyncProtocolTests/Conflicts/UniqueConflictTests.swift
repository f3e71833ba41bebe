import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

struct UniqueConflictTests {
  private let insert = Operation.insert(
    Example.key(6),
    PropertyList([(Example.code, .integer(3)), (Example.title, .integer(9))]),
    .assigned
  )
  private let update = Operation.update(
    Example.object(7, originID: 2),
    PropertyList([(Example.code, .integer(3))])
  )

  private func example(_ rule: UniqueProperties.Rule) -> Example {
    var example = Example(
      EntityRules(uniques: [UniqueProperties([Example.code], rule: rule)])
    )
    example.source.rows[Example.key(5)] = Example.row(
      originID: 1,
      [(Example.code, .integer(3)), (Example.votes, .integer(4))]
    )
    example.source.rows[Example.key(7)] = Example.row(originID: 2, [(Example.code, .integer(8))])
    return example
  }

  @Test func `reject rejects inserts and updates, with the property`() throws {
    let expected = Rejection(
      entity: Example.entity,
      property: Example.code,
      reason: .unique
    )
    #expect(try example(.reject).rejection([insert]) == expected)
    #expect(try example(.reject).rejection([update]) == expected)
  }

  @Test func `replace removes the holder for inserts and updates`() throws {
    let inserted = try example(.replace).changes([insert])
    #expect(inserted.removes(5))
    #expect(inserted.row(6)?.values[Example.code] == .integer(3))
    let updated = try example(.replace).changes([update])
    #expect(updated.removes(5))
    #expect(updated.row(7)?.values[Example.code] == .integer(3))
  }

  @Test func `merge leads an insert to the holder and tells its identity`() throws {
    let changes = try example(.merge).changes([insert])
    #expect(changes.row(6) == nil)
    #expect(changes.row(5)?.values[Example.title] == .integer(9))
    let holder = ObjectIdentity(key: Example.key(5), originID: OriginID(1))
    #expect(changes.identities == [NewIdentity(made: Example.key(6), identity: holder)])
  }

  @Test func `merge adds the insert's counters to the holder's`() throws {
    let values = PropertyList<PropertyValue>([
      (Example.code, .integer(3)), (Example.votes, .integer(2)),
    ])
    let changes = try example(.merge).changes([.insert(Example.key(6), values, .assigned)])
    #expect(changes.row(5)?.values[Example.votes] == .integer(6))
  }

  @Test func `merge rejects an update`() throws {
    #expect(try example(.merge).rejection([update])?.reason == .unique)
  }

  @Test(arguments: [UniqueProperties.Rule.replace, .merge])
  func `a holder that the user may not write rejects the transaction`(
    rule: UniqueProperties.Rule
  ) throws {
    var example = example(rule)
    example.forbidden = [Example.key(5)]
    #expect(try example.rejection([insert])?.reason == .unique)
  }

  @Test func `a value that the transaction has freed is free`() throws {
    let remove = Operation.delete(Example.object(5, originID: 1))
    #expect(try example(.reject).changes([remove, insert]).row(6) != nil)
    let free = Operation.update(
      Example.object(5, originID: 1),
      PropertyList([(Example.code, .null)])
    )
    #expect(try example(.reject).changes([free, insert]).row(6) != nil)
  }

  @Test(arguments: [UniqueProperties.Rule.reject, .replace, .merge], [false, true])
  func `values change hands within a transaction, in any order of its operations`(
    rule: UniqueProperties.Rule,
    isReversed: Bool
  ) throws {
    func set(_ id: UInt64, _ value: PropertyValue) -> Operation {
      let originID: [UInt64: UInt64] = [5: 1, 7: 2, 8: 3]
      return .update(
        Example.object(id, originID: originID[id] ?? 0),
        PropertyList([(Example.code, value)])
      )
    }
    func codes(_ operations: [Operation]) throws -> [PropertyValue?] {
      var example = example(rule)
      example.source.rows[Example.key(8)] = Example.row(originID: 3, [(Example.code, .integer(1))])
      let changes = try example.changes(isReversed ? operations.reversed() : operations)
      #expect(changes.dropped.isEmpty && changes.tombstones.isEmpty)
      return [5, 7, 8].map { changes.row($0)?.values[Example.code] }
    }
    // 5 has 3, 7 has 8, 8 has 1.
    #expect(try codes([set(5, .integer(8)), set(7, .null)]) == [.integer(8), .null, nil])
    #expect(
      try codes([set(5, .integer(8)), set(7, .integer(3))]) == [.integer(8), .integer(3), nil]
    )
    #expect(
      try codes([set(5, .integer(8)), set(7, .integer(1)), set(8, .integer(3))])
        == [.integer(8), .integer(1), .integer(3)]
    )
  }

  @Test func `a value that a later operation does not free is taken`() throws {
    let other = Operation.update(
      Example.object(5, originID: 1),
      PropertyList([(Example.title, .integer(1))])
    )
    let same = Operation.update(
      Example.object(5, originID: 1),
      PropertyList([(Example.code, .integer(3))])
    )
    for last in [other, same] {
      #expect(try example(.reject).rejection([update, last])?.reason == .unique)
      #expect(try example(.reject).rejection([insert, last])?.reason == .unique)
      #expect(try example(.replace).changes([update, last]).row(7) != nil)
    }
    #expect(
      try example(.merge).changes([insert, other]).row(5)?.values[Example.title] == .integer(1)
    )
    #expect(try example(.replace).changes([update, same]).removes(5))
  }

  @Test(arguments: [false, true])
  func `a value that an object takes and passes on is held once, though its holder keeps it`(
    isFreed: Bool
  ) throws {
    func written(_ id: UInt64, originID: UInt64, _ code: PropertyValue) -> Operation {
      .update(
        Example.object(id, originID: originID),
        PropertyList([(Example.code, code), (Example.title, .integer(1))])
      )
    }
    // The holder is written last, as a device tells its objects: by that it might free the value.
    let freeing = isFreed ? [written(7, originID: 2, .null)] : []
    let operations =
      [written(7, originID: 2, .integer(3))] + freeing + [
        insert, written(5, originID: 1, .integer(3)),
      ]
    let replaced = try example(.replace).changes(operations)
    #expect(replaced.removes(5))
    #expect(replaced.row(6)?.values[Example.code] == .integer(3))
    #expect(isFreed ? replaced.row(7)?.values[Example.code] == .null : replaced.removes(7))
    #expect(try example(.reject).rejection(operations)?.reason == .unique)
    // Another insert behind the holder's write.
    let again =
      operations + [
        .insert(Example.key(8), PropertyList([(Example.code, .integer(3))]), .assigned)
      ]
    let last = try example(.replace).changes(again)
    #expect(last.removes(5))
    #expect(last.row(6) == nil)
    #expect(last.row(8)?.values[Example.code] == .integer(3))
  }

  @Test func `two inserts of one transaction conflict`() throws {
    let other = Operation.insert(
      Example.key(8),
      PropertyList([(Example.code, .integer(4))]),
      .assigned
    )
    let same = Operation.insert(
      Example.key(9),
      PropertyList([(Example.code, .integer(4))]),
      .assigned
    )
    #expect(try example(.reject).rejection([other, same])?.reason == .unique)
  }

  @Test func `a constraint over two properties compares both, and nulls never conflict`() throws {
    var example = Example(
      EntityRules(
        uniques: [UniqueProperties([Example.code, Example.region], rule: .reject)])
    )
    example.source.rows[Example.key(5)] = Example.row(
      originID: 1,
      [(Example.code, .integer(3)), (Example.region, .integer(1))]
    )
    func insert(_ region: PropertyValue) -> Operation {
      .insert(
        Example.key(6),
        PropertyList([(Example.code, .integer(3)), (Example.region, region)]),
        .assigned
      )
    }
    #expect(try example.rejection([insert(.integer(1))]) != nil)
    #expect(try example.rejection([insert(.integer(2))]) == nil)
    #expect(try example.rejection([insert(.null)]) == nil)
  }

  @Test func `a device forecasts the server's decision`() throws {
    let application = try example(.reject).apply([insert], side: .device)
    guard case .rejected(let rejection) = application else {
      Issue.record("the device expects no rejection")
      return
    }
    #expect(rejection.reason == .unique)
  }
}
