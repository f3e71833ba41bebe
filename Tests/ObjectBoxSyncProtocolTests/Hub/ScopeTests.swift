import Testing

@testable import ObjectBoxSyncProtocol

@Suite struct ScopeTests {
  private static let owner = Scope.Comparison(PropertyUID(2), .equals, .integer(7))
  private static let member = Scope.Comparison(PropertyUID(1), .contains, .bytes([97]))

  @Test func `an object is in a scope when it passes all comparisons`() {
    let scope = Scope(entity: EntityUID(1), [Self.owner, Self.member])
    let list = PropertyValue.bytes([0, 0, 0, 1, 97])
    func matches(_ values: [(PropertyUID, PropertyValue)]) -> Bool {
      scope.matches(EntityUID(1), PropertyList(values))
    }
    #expect(matches([(PropertyUID(1), list), (PropertyUID(2), .integer(7))]))
    #expect(!matches([(PropertyUID(1), list), (PropertyUID(2), .integer(8))]))
    #expect(!matches([(PropertyUID(1), .bytes([97])), (PropertyUID(2), .integer(7))]))
    #expect(!matches([(PropertyUID(2), .integer(7))]))
    #expect(!scope.matches(EntityUID(2), PropertyList([(PropertyUID(1), list)])))
    #expect(Scope(entity: EntityUID(1)).matches(EntityUID(1), PropertyList()))
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
