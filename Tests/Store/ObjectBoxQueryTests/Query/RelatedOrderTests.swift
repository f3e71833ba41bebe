import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// Orders by properties of related objects.
struct RelatedOrderTests {
  private static let name = Property<Node, String?, Void>(propertyId: 3)
  private static let next = Property<Node, EntityId<Node>, Node>(propertyId: 2)

  private static let shortNames = [nil, "", "a", "A", "b", "Ä", "ab"]
  /// Names of which more than eight bytes are equal.
  private static let longNames =
    ["", "0", "1", "\0", "12345678", "123456789", "1234567\0"]
    .map { "node number " + $0 } + ["Node number 0", nil]

  /// Puts nodes that lead to each other, to no node, and to missing ones.
  private func nodes(
    _ store: RelationStore,
    _ random: inout SplitMix,
    count: Int,
    names: [String?]
  ) throws -> [Node] {
    let nodes = (0..<count).map { _ in Node(name: random.pick(names)) }
    try store.nodes.put(nodes)
    for node in nodes {
      let id = UInt64.random(in: 0...UInt64(count + 5), using: &random)
      if id > 0 { node.next.targetId = EntityId(id) }
    }
    try store.nodes.put(nodes)
    for id in [2, 9] { try store.nodes.remove(Id(id)) }
    return try store.nodes.all()
  }

  /// Returns the IDs in the order by a key of another node; nil is the key of null.
  private func sorted(
    _ nodes: [Node],
    _ flags: [OrderFlags],
    _ key: (Node) -> String?
  ) -> [UInt64] {
    func place(_ node: Node) -> (Int, [UInt8]) {
      guard var text = key(node) ?? (flags.contains(.nullsZero) ? "" : nil) else {
        return (flags.contains(.nullsLast) ? 1 : -1, [])
      }
      if !flags.contains(.caseSensitive) { text = text.lowercased() }
      return (0, Array(text.utf8))
    }
    return nodes.sorted { a, b in
      let (first, second) = (place(a), place(b))
      if first.0 != second.0 { return first.0 < second.0 }
      if first.1 == second.1 { return a.id < b.id }
      return first.1.lexicographicallyPrecedes(second.1) != flags.contains(.descending)
    }.map(\.id)
  }

  @Test(arguments: 0..<8)
  func `orders by related objects are those of a sort of the objects`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let store = try RelationStore(
      RelationModel(nodeNameFlags: seed.isMultiple(of: 3) ? [] : [.indexed])
    )
    let nodes = try nodes(
      store,
      &random,
      count: seed.isMultiple(of: 2) ? 60 : 12,
      names: seed < 5 ? Self.shortNames : Self.longNames
    )
    let byID = Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, $0) })
    func next(_ node: Node?) -> Node? { node?.next.targetId.flatMap { byID[$0.value] } }
    let all: [OrderFlags] = [.descending, .caseSensitive, .nullsLast, .nullsZero]
    for mask in 0..<16 {
      let flags = all.enumerated().filter { mask & 1 << $0.offset != 0 }.map(\.element)
      func query(_ property: RelatedProperty<Node>) throws -> Query<Node> {
        var selection = Selection()
        selection.orders = [property.order(flags)]
        return try Query(checking: selection, in: store.nodes)
      }
      let one = try query(Self.next.at(Self.name))
      let expected = sorted(nodes, flags) { next($0)?.name }
      #expect(try one.findIds().map(\.value) == expected, "\(flags)")
      #expect(try one.find(offset: 3, limit: 4).map(\.id) == Array(expected[3..<7]))
      let three = try query(Self.next.at(Self.next.at(Self.next.at(Self.name))))
      #expect(
        try three.findIds().map(\.value) == sorted(nodes, flags) { next(next(next($0)))?.name },
        "\(flags)"
      )
    }
  }

  /// Nodes of which five lead to each of the first hundred, and their numbers by targets.
  private func chained() throws -> (store: RelationStore, order: Query<Node>) {
    let store = try RelationStore(RelationModel(nodeNameFlags: [.indexed]))
    let nodes = (0..<3_000).map { Node(name: "\(9_999 - $0 / 2)") }
    try store.nodes.put(nodes)
    for (index, node) in nodes.enumerated() where index < 500 {
      node.next.targetId = EntityId(nodes[index % 100].id)
    }
    try store.nodes.put(nodes)
    let order = try store.nodes.query()
      .ordered(by: Self.next, Self.name, flags: .nullsLast, .caseSensitive, .descending).build()
    return (store, order)
  }

  @Test func `a small limit walks through the index of the targets`() throws {
    let (store, query) = try chained()
    let all = try query.findIds().map(\.value)
    #expect(all.count == 3_000)
    #expect(all.prefix(10) == [1, 2, 101, 102, 201, 202, 301, 302, 401, 402])
    #expect(try query.find(offset: 3, limit: 12).map(\.id) == Array(all[3..<15]))
    #expect(try query.findFirst()?.id == all[0])
    #expect(try query.explain(limit: 10).contains("walk of the related objects' index on 'name'"))
    #expect(try query.explain().contains("sorted, after"))
    let filtered = try store.nodes.query { Self.name < "9900" }
      .ordered(by: Self.next, Self.name, flags: .nullsLast, .caseSensitive).build()
    let some = try filtered.findIds().map(\.value)
    #expect(try filtered.find(offset: 0, limit: 3).map(\.id) == Array(some.prefix(3)))
  }

  @Test func `a walk that finds too few results leaves them to a sort`() throws {
    let (_, query) = try chained()
    let all = try query.findIds().map(\.value)
    #expect(try query.find(offset: 495, limit: 10).map(\.id) == Array(all[495..<505]))
  }

  @Test(
    arguments: [
      [.caseSensitive], [.nullsLast], [.nullsLast, .nullsZero, .caseSensitive],
    ] as [[OrderFlags]]
  )
  func `an order that the index does not have is sorted`(flags: [OrderFlags]) throws {
    let (store, _) = try chained()
    var selection = Selection()
    selection.orders = [Self.next.at(Self.name).order(flags)]
    let query = try Query(checking: selection, in: store.nodes)
    let all = try query.findIds().map(\.value)
    #expect(try query.find(offset: 2, limit: 5).map(\.id) == Array(all[2..<7]))
    #expect(try query.explain(limit: 7).contains("sorted, after"))
  }

  @Test func `few results look their targets up, and further orders decide among equal ones`()
    throws
  {
    let store = try RelationStore()
    let customers = ["b", "a", "c"].map { Customer($0) } + (0..<300).map { Customer("x\($0)") }
    try store.customers.put(customers)
    let orders = (0..<6).map { Order("o\($0)", customers[$0 % 3]) }
    try store.orders.put(orders + [Order("none")])
    let query = try store.orders.query().ordered(by: Order.customer, Customer.name)
      .ordered(by: Order.name, flags: .descending).build()
    #expect(try query.find().map(\.name) == ["none", "o4", "o1", "o3", "o0", "o5", "o2"])
    let last = try store.orders.query { Order.name != "o1" }
      .ordered(by: Order.customer, Customer.name, flags: .nullsLast).build()
    #expect(try last.find().map(\.name) == ["o4", "o0", "o3", "o2", "o5", "none"])
    let mixed = try store.orders.query().ordered(by: Order.name, flags: .descending)
      .ordered(by: Order.customer, Customer.name).build()
    #expect(try mixed.findFirst()?.name == "o5")
    #expect(try last.explain().contains("customer.name nulls last; sorted, after"))
  }

  @Test func `an order by related objects has no cursor`() throws {
    let store = try RelationStore()
    try store.orders.put([Order("a"), Order("b")])
    let query = try store.orders.query().ordered(by: Order.customer, Customer.name).build()
    #expect {
      try query.find(after: nil, limit: 1)
    } throws: {
      "\($0)".contains("order by related objects")
    }
  }

  @Test func `an order by a relation of another entity is refused`() throws {
    let store = try RelationStore()
    let wrong = Property<Customer, EntityId<Node>, Node>(propertyId: 2)
    #expect {
      try store.customers.query().ordered(by: wrong, Self.name).build()
    } throws: {
      "\($0)".contains("no relation to 'Node'")
    }
  }

  @Test func `ranks of numbers have one zero, and NaN above all`() {
    let numbers = [Double.nan, -0.0, 0, -1, .infinity, -.nan, -.infinity]
    let keys = numbers.map { ResultOrder.Key.double($0) } + [.null]
    #expect(KeyRanks.ranks(of: keys) == [5, 3, 3, 2, 4, 5, 1, 0])
    #expect(KeyRanks.ranks(of: [.integer(7), .null, .integer(3), .integer(7)]) == [2, 0, 1, 2])
    #expect(KeyRanks.ranks(of: [.null]) == [0])
    #expect(KeyRanks.ranks(of: []) == [])
  }
}
