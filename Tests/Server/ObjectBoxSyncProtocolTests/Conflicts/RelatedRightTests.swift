import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

/// Rights that depend on an object's parent: a user writes objects whose parent has the owner 1.
struct RelatedRightTests {
  /// Objects that everybody may write.
  private static let roots: Set<UInt64> = [1, 2, 50]

  /// Objects 1 and 2 are parents, of owner 1 and 2; 3 and 4 are their children.
  private func apply(_ operations: [Operation]) throws -> Application {
    var example = Example()
    example.source.rows[Example.key(1)] = Example.row(originID: 1, [(Example.owner, .integer(1))])
    example.source.rows[Example.key(2)] = Example.row(originID: 2, [(Example.owner, .integer(2))])
    example.source.rows[Example.key(3)] = Example.row(originID: 3, [(Example.parent, .integer(1))])
    example.source.rows[Example.key(4)] = Example.row(originID: 4, [(Example.parent, .integer(2))])
    let transaction = Example.transaction(operations)
    return try .apply(
      transaction,
      at: transaction.time,
      to: example.source,
      rules: example.source.rules,
      side: .server,
      mayWrite: { key, row, related in
        if Self.roots.contains(key.id) { return true }
        let id = row.values[Example.parent]?.integerValue ?? 0
        let parent = try related(Example.key(UInt64(bitPattern: id)))
        return parent?.values[Example.owner] == .integer(1)
      }
    )
  }

  private func isAccepted(_ operations: [Operation]) throws -> Bool {
    switch try apply(operations) {
    case .changes: return true
    case .rejected(let rejection):
      #expect(rejection.reason == .permission)
      return false
    case .needs: throw Example.Unexpected()
    }
  }

  private func update(_ id: UInt64, _ values: [(PropertyUID, PropertyValue)]) -> Operation {
    .update(Example.object(id, originID: id), PropertyList(values))
  }

  private func insert(_ id: UInt64, _ values: [(PropertyUID, PropertyValue)]) -> Operation {
    .insert(Example.key(id), PropertyList(values), .assigned)
  }

  private func parent(_ id: UInt64) -> (PropertyUID, PropertyValue) {
    (Example.parent, .target(Example.object(id, originID: id)))
  }

  @Test func `an object is written only from and to parents that give the right`() throws {
    #expect(try isAccepted([update(3, [(Example.text, .integer(1))])]))
    #expect(try !isAccepted([update(4, [(Example.text, .integer(1))])]))
    #expect(try !isAccepted([update(3, [parent(2)])]))
    #expect(try !isAccepted([update(4, [parent(1)])]))
    #expect(try !isAccepted([.delete(Example.object(4, originID: 4))]))
    #expect(try isAccepted([insert(9, [parent(1)])]))
    #expect(try !isAccepted([insert(9, [parent(2)])]))
    #expect(try !isAccepted([insert(9, [])]))
  }

  @Test func `parents count as they were before the transaction, or as it leaves them`() throws {
    let remove = Operation.delete(Example.object(1, originID: 1))
    #expect(try isAccepted([remove, .delete(Example.object(3, originID: 3))]))
    // It would lead nowhere afterwards.
    #expect(try !isAccepted([remove, update(3, [(Example.text, .integer(1))])]))
    let made = ObjectReference(Example.key(50), madeBy: Example.token(7))
    let root = insert(50, [(Example.owner, .integer(1))])
    #expect(try isAccepted([root, insert(51, [(Example.parent, .target(made))])]))
    // The right comes with a later operation.
    let claim = update(2, [(Example.owner, .integer(1))])
    #expect(try isAccepted([update(3, [parent(2)]), claim]))
    #expect(try isAccepted([claim, update(4, [(Example.text, .integer(1))])]))
    #expect(try isAccepted([update(4, [(Example.text, .integer(1))]), claim]))
  }

  @Test func `an object of a cycle is inserted without its parent, which follows`() throws {
    let made = ObjectReference(Example.key(9), madeBy: Example.token(7))
    let child = insert(9, [])
    #expect(try isAccepted([child, .update(made, PropertyList([parent(1)]))]))
    #expect(try !isAccepted([child, .update(made, PropertyList([parent(2)]))]))
    #expect(try !isAccepted([insert(9, [parent(1)]), .update(made, PropertyList([parent(2)]))]))
  }

  @Test func `every operation needs the right before and after`() throws {
    var rules = EntityRules()
    rules.uniques = [UniqueProperties([Example.code], rule: .merge)]
    rules.counters = [Example.votes]
    var example = Example(rules)
    example.source.rows[Example.key(1)] = Example.row(
      originID: 1,
      [(Example.owner, .integer(1)), (Example.votes, .integer(8)), (Example.code, .integer(5))]
    )
    example.source.rows[Example.key(2)] = Example.row(originID: 2, [(Example.owner, .integer(2))])
    let own = Example.object(1, originID: 1)
    let other = Example.object(2, originID: 2)
    func values(_ owner: Int64, _ more: (PropertyUID, PropertyValue)...) -> PropertyList<
      PropertyValue
    > {
      PropertyList([(Example.owner, .integer(owner))] + more)
    }
    func isAccepted(_ operations: Operation...) throws -> Bool {
      let transaction = Example.transaction(operations)
      let application = try Application.apply(
        transaction,
        at: transaction.time,
        to: example.source,
        rules: example.source.rules,
        side: .server,
        mayWrite: { _, row, _ in
          row.values[Example.owner] == .integer(1)
            && row.values[Example.votes]?.integerValue ?? 0 <= 10
        }
      )
      switch application {
      case .changes: return true
      case .rejected(let rejection):
        #expect(rejection.reason == .permission)
        return false
      case .needs: throw Example.Unexpected()
      }
    }
    // An object that exists is not handed on by an insert over it, or by one that is merged into it.
    #expect(try isAccepted(.insert(Example.key(1), values(1), .chosen)))
    #expect(try !isAccepted(.insert(Example.key(1), values(2), .chosen)))
    #expect(try !isAccepted(.insert(Example.key(2), values(1), .chosen)))
    #expect(
      try isAccepted(.insert(Example.key(9), values(1, (Example.code, .integer(5))), .assigned))
    )
    #expect(
      try !isAccepted(.insert(Example.key(9), values(2, (Example.code, .integer(5))), .assigned))
    )
    // A counter is part of the object.
    #expect(try isAccepted(.increment(own, Example.votes, by: 2)))
    #expect(try !isAccepted(.increment(own, Example.votes, by: 3)))
    #expect(
      try isAccepted(.increment(own, Example.votes, by: 3), .increment(own, Example.votes, by: -1))
    )
    let addition = PropertyList([
      (Example.votes, PropertyValue.integer(3)), (Example.owner, .integer(1)),
    ])
    #expect(try !isAccepted(.insert(Example.key(1), addition, .chosen)))
    #expect(try !isAccepted(.increment(other, Example.votes, by: 1)))
    // Relations are.
    #expect(try isAccepted(.addPair(own, Example.links, other)))
    #expect(try !isAccepted(.addPair(other, Example.links, own)))
    #expect(try !isAccepted(.removePair(other, Example.links, own, seen: Example.token(1))))
    #expect(try !isAccepted(.delete(other)))
    #expect(try isAccepted(.delete(own)))
  }

  @Test func `a user without the right does not learn which unique values are taken`() throws {
    var rules = EntityRules()
    rules.uniques = [UniqueProperties([Example.code], rule: .reject)]
    var example = Example(rules)
    example.source.rows[Example.key(2)] = Example.row(originID: 2, [(Example.owner, .integer(2))])
    example.source.rows[Example.key(4)] = Example.row(originID: 4, [(Example.code, .integer(8))])
    let transaction = Example.transaction([insert(9, [parent(2), (Example.code, .integer(8))])])
    let application = try Application.apply(
      transaction,
      at: transaction.time,
      to: example.source,
      rules: example.source.rules,
      side: .server,
      mayWrite: { _, _, related in
        try related(Example.key(2))?.values[Example.owner] == .integer(1)
      }
    )
    guard case .rejected(let rejection) = application else {
      Issue.record("\(application)")
      return
    }
    #expect(rejection.reason == .permission)
  }
}
