@testable import ObjectBox
import ObjectBoxSync
import ObjectBoxSyncProtocol
import Testing

@Suite struct SyncedStoreRulesTests {
  private func property(_ id: UInt32, _ flags: PropertyFlags...) -> PropertySchema {
    PropertySchema(
      identity: SchemaIdentity(id: id, uid: 100 + UInt64(id)),
      name: "p\(id)",
      type: .long,
      flags: flags.reduce(0) { $0 | $1.rawValue }
    )
  }

  @Test func `rules follow the flags of properties and compound indexes`() {
    var entity = EntitySchema(identity: SchemaIdentity(id: 1, uid: 9), name: "Note")
    entity.properties = [
      property(1, .id), property(2, .unique), property(3, .unique, .uniqueOnConflictReplace),
      property(4, .syncClock), property(5, .syncPrecedence), property(6),
    ]
    entity.compoundIndexes = [
      CompoundIndexSchema(
        identity: SchemaIdentity(id: 7, uid: 8),
        isUnique: true,
        propertyIDs: [6, 2]
      )
    ]
    let rules = EntityRules(entity)
    #expect(rules.mode == .objectClock)
    #expect(rules.precedence == PropertyUID(105))
    #expect(
      rules.uniques == [
        UniqueConstraint([PropertyUID(102)], rule: .reject),
        UniqueConstraint([PropertyUID(103)], rule: .replace),
        UniqueConstraint([PropertyUID(106), PropertyUID(102)], rule: .reject),
      ]
    )
  }

  @Test func `an entity without flags merges by arrival`() {
    var entity = EntitySchema(identity: SchemaIdentity(id: 1, uid: 9), name: "Note")
    entity.properties = [property(1, .id), property(2)]
    #expect(EntityRules(entity) == EntityRules())
  }
}
