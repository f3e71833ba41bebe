import Testing

@testable import ObjectBoxSyncProtocol

@Suite struct ScopeTests {
  private static let owner = Scope.Comparison(PropertyUID(2), .equals, .integer(7))
  private static let member = Scope.Comparison(PropertyUID(1), .contains, .bytes([97]))

  @Test func `an object is in a scope when it passes all comparisons`() {
    let scope = Scope(entity: EntityUID(1), [Self.owner, Self.member])
    let list = PropertyValue.bytes([0, 0, 0, 1, 97])
    func matches(_ values: [(PropertyUID, PropertyValue)]) -> Bool {
      scope.matches(ObjectKey(entity: EntityUID(1), id: 3), PropertyList(values))
    }
    #expect(matches([(PropertyUID(1), list), (PropertyUID(2), .integer(7))]))
    #expect(!matches([(PropertyUID(1), list), (PropertyUID(2), .integer(8))]))
    #expect(!matches([(PropertyUID(1), .bytes([97])), (PropertyUID(2), .integer(7))]))
    #expect(!matches([(PropertyUID(2), .integer(7))]))
    let other = ObjectKey(entity: EntityUID(2), id: 3)
    #expect(!scope.matches(other, PropertyList([(PropertyUID(1), list)])))
    #expect(Scope(entity: EntityUID(2)).matches(other, PropertyList()))
  }

  @Test(
    arguments: [
      (PropertyValue.integer(-3), PropertyValue.integer(2)),
      (.double(bits: (-0.5).bitPattern), .double(bits: 0.25.bitPattern)),
      (.double(bits: 1.0.bitPattern), .double(bits: Double.infinity.bitPattern)),
      (.bytes([]), .bytes([0])), (.bytes([97, 98]), .bytes([97, 0xC3])),
    ]
  )
  func `comparisons follow the order of values, and null, NaN and other types pass none`(
    less: PropertyValue,
    greater: PropertyValue
  ) {
    let key = ObjectKey(entity: EntityUID(1), id: 3)
    func passes(_ found: PropertyValue, _ test: Scope.Comparison.Test, _ value: PropertyValue)
      -> Bool
    {
      Scope(entity: EntityUID(1), [Scope.Comparison(PropertyUID(2), test, value)])
        .matches(key, PropertyList([(PropertyUID(2), found)]))
    }
    func tests(_ found: PropertyValue, _ value: PropertyValue) -> [Bool] {
      [.differs, .below, .atMost, .above, .atLeast].map { passes(found, $0, value) }
    }
    #expect(tests(less, greater) == [true, true, true, false, false])
    #expect(tests(greater, less) == [true, false, false, true, true])
    #expect(tests(less, less) == [false, false, true, false, true])
    let others: [PropertyValue] = [.null, .double(bits: Double.nan.bitPattern)]
    for other in others {
      #expect(tests(other, less) == [false, false, false, false, false])
      #expect(tests(less, other) == [false, false, false, false, false])
    }
    #expect(passes(less, .isPresent, .null))
    #expect(!passes(.null, .isPresent, .null))
  }

  @Test func `negative zero equals zero in the order`() {
    let zero = Scope.Comparison(PropertyUID(2), .atLeast, .double(bits: 0.0.bitPattern))
    let values = PropertyList([(PropertyUID(2), PropertyValue.double(bits: (-0.0).bitPattern))])
    let key = ObjectKey(entity: EntityUID(1), id: 3)
    #expect(Scope(entity: EntityUID(1), [zero]).matches(key, values))
  }

  @Test func `a comparison of the ID passes one object`() {
    let scope = Scope(entity: EntityUID(1), [Scope.Comparison(object: 3), Self.owner])
    let values = PropertyList([(PropertyUID(2), PropertyValue.integer(7))])
    #expect(scope.matches(ObjectKey(entity: EntityUID(1), id: 3), values))
    #expect(!scope.matches(ObjectKey(entity: EntityUID(1), id: 4), values))
    #expect(!scope.matches(ObjectKey(entity: EntityUID(1), id: 3), PropertyList()))
  }

  @Test func `scopes of the same comparisons are equal in any order`() {
    let first = Scope(entity: EntityUID(1), [Self.owner, Self.member, Self.owner])
    #expect(first == Scope(entity: EntityUID(1), [Self.member, Self.owner]))
    #expect(first.comparisons == [Self.member, Self.owner])
  }

  @Test(
    arguments: [
      ([], []),
      ([[97], [], [98, 99]], [0, 0, 0, 1, 97, 0, 0, 0, 0, 0, 0, 0, 2, 98, 99]),
      // The rest of a damaged list is no element.
      ([[97]], [0, 0, 0, 1, 97, 0, 0, 0, 9, 98]),
      ([[97]], [0, 0, 0, 1, 97, 0, 0]),
    ] as [([[UInt8]], [UInt8])]
  )
  func `a list has the elements after their lengths`(_ elements: [[UInt8]], _ list: [UInt8]) {
    #expect(ListElements(.bytes(list)).map { $0 } == elements.map { .bytes($0) })
  }

  @Test func `scopes of the first version are read as before`() throws {
    var writer = WireWriter()
    writer.append(EntityUID(1))
    writer.append(Optional(PropertyUID(2)))
    writer.append(PropertyValue.integer(7))
    writer.append(EntityUID(3))
    writer.append(Optional<PropertyUID>.none)
    var reader = WireReader(writer.bytes)
    #expect(try reader.value(Scope.self) == Scope(entity: EntityUID(1), [Self.owner]))
    #expect(try reader.value(Scope.self) == Scope(entity: EntityUID(3)))
  }

  @Test func `a scope with unordered comparisons is refused`() throws {
    var writer = WireWriter()
    writer.append(EntityUID(1))
    writer.append(byte: 2)
    writer.append(count: 2)
    for comparison in [Self.owner, Self.member] {
      writer.append(comparison.property)
      writer.append(byte: comparison.test.rawValue)
      writer.append(comparison.value)
    }
    var reader = WireReader(writer.bytes)
    #expect(throws: WireError.self) { try reader.value(Scope.self) }
  }
}
