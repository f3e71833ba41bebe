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
    Example.object(7, birth: 2),
    PropertyList([(Example.code, .integer(3))])
  )

  private func example(_ rule: UniqueConstraint.Rule) -> Example {
    var example = Example(
      EntityRules(uniques: [UniqueConstraint([Example.code], rule: rule)])
    )
    example.source.rows[Example.key(5)] = Example.row(
      birth: 1,
      [(Example.code, .integer(3)), (Example.votes, .integer(4))]
    )
    example.source.rows[Example.key(7)] = Example.row(birth: 2, [(Example.code, .integer(8))])
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
    let holder = ObjectIdentity(key: Example.key(5), birth: BirthMark(1))
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

  @Test(arguments: [UniqueConstraint.Rule.replace, .merge])
  func `a holder that the user may not write rejects the transaction`(
    rule: UniqueConstraint.Rule
  ) throws {
    var example = example(rule)
    example.forbidden = [Example.key(5)]
    #expect(try example.rejection([insert])?.reason == .unique)
  }

  @Test func `a value that the transaction has freed is free`() throws {
    let remove = Operation.delete(Example.object(5, birth: 1))
    #expect(try example(.reject).changes([remove, insert]).row(6) != nil)
    let free = Operation.update(
      Example.object(5, birth: 1),
      PropertyList([(Example.code, .null)])
    )
    #expect(try example(.reject).changes([free, insert]).row(6) != nil)
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
        uniques: [UniqueConstraint([Example.code, Example.region], rule: .reject)])
    )
    example.source.rows[Example.key(5)] = Example.row(
      birth: 1,
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

  @Test func `a device forecasts the hub's decision`() throws {
    let application = try example(.reject).apply([insert], side: .device)
    guard case .rejected(let rejection) = application else {
      Issue.record("the device expects no rejection")
      return
    }
    #expect(rejection.reason == .unique)
  }
}
