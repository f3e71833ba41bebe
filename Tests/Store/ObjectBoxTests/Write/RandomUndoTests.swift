import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Compares random operations in write blocks, many of which fail and are caught, with a model in
/// memory.
struct RandomUndoTests {
  private struct Stop: Error {}

  /// The content of the store.
  private struct Expected: Equatable {
    struct Node: Equatable {
      var name: String?
      var next: Id
    }
    var nodes: [Id: Node] = [:]
    /// Names by IDs.
    var students: [Id: Set<Id>] = [:]
    var teachers: Set<Id> = []
    /// Customers by the IDs of orders.
    var orders: [Id: Id] = [:]
    var customers: Set<Id> = []
  }

  private struct Run {
    let stores: RelationStore
    var random: SplitMix
    var expected = Expected()
    var failureCount = 0
    /// True inside a joined transaction: its new objects lose their IDs only when it ends.
    var isJoined = false

    // MARK: Operations

    /// Puts new and changed nodes, some in chains; their names often collide.
    mutating func putNodes() throws {
      var array: [Node] = []
      var chained: [Node] = []
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        var node = Node()
        if Bool.random(using: &random),
          let id = expected.nodes.keys.sorted().randomElement(using: &random),
          !array.contains(where: { $0.id == id }), let old = try stores.nodes.get(id)
        {
          node = old
        }
        node.name = Int.random(in: 0..<4, using: &random) == 0 ? nil : name()
        array.append(node)
        if Bool.random(using: &random) {
          let target = Node(name: name())
          node.next.target = target
          chained.append(target)
          if Bool.random(using: &random) {
            let last = Node(name: name())
            target.next.target = last
            chained.append(last)
          }
        }
      }
      let isNew = (array + chained).map { $0.id == 0 }
      do {
        if array.count == 1 { try stores.nodes.put(array[0]) } else { try stores.nodes.put(array) }
      } catch {
        #expect(isJoined || zip(array + chained, isNew).allSatisfy { ($0.id == 0) == $1 })
        throw error
      }
      for node in array + chained {
        #expect(node.id != 0)
        expected.nodes[node.id] = .init(name: node.name, next: node.next.target?.id ?? 0)
      }
    }

    private mutating func name() -> String { "n\(Int.random(in: 0..<40, using: &random))" }

    mutating func removeNodes() throws {
      var ids = Array(expected.nodes.keys.sorted().shuffled(using: &random).prefix(3))
      if Int.random(in: 0..<12, using: &random) == 0 {
        try stores.nodes.removeAll()
        ids = Array(expected.nodes.keys)
      } else {
        try stores.nodes.remove(ids)
      }
      for id in ids { expected.nodes[id] = nil }
      for id in expected.nodes.keys where ids.contains(expected.nodes[id]?.next ?? 0) {
        expected.nodes[id]?.next = 0
      }
    }

    /// Puts a student with new and old teachers, or changes the teachers of a stored student.
    mutating func putStudent() throws {
      var student = Student("s")
      if Bool.random(using: &random),
        let id = expected.students.keys.sorted().randomElement(using: &random),
        let old = try stores.students.get(id)
      {
        student = old
      }
      let old = try expected.teachers.sorted().shuffled(using: &random).prefix(2).compactMap {
        try stores.teachers.get($0)
      }
      let teachers = old + [Teacher("t")]
      student.teachers.replace(teachers)
      if student.id == 0 {
        try stores.students.put(student)
      } else {
        try student.teachers.applyToDb()
      }
      expected.students[student.id] = Set(teachers.map(\.id))
      expected.teachers.formUnion(teachers.map(\.id))
    }

    mutating func removeTeachers() throws {
      let ids = Array(expected.teachers.sorted().shuffled(using: &random).prefix(2))
      try stores.teachers.remove(ids)
      expected.teachers.subtract(ids)
      for id in expected.students.keys { expected.students[id]?.subtract(ids) }
    }

    /// Puts a customer with orders; one order may have an unused ID.
    mutating func putCustomer() throws {
      let customer = Customer("c")
      let orders = (0..<3).map { Order("o\($0)") }
      if Bool.random(using: &random) { orders[2].id = 1_000_000 }
      customer.orders.replace(orders)
      try stores.customers.put(customer)
      expected.customers.insert(customer.id)
      for order in orders { expected.orders[order.id.value] = customer.id }
    }

    mutating func step() throws {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...4: try putNodes()
      case 5: try removeNodes()
      case 6, 7: try putStudent()
      case 8: try removeTeachers()
      default: try putCustomer()
      }
    }

    /// Does some steps, some in joined transactions that throw, and continues after failures.
    mutating func steps() {
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let before = expected
        do {
          if Int.random(in: 0..<5, using: &random) == 0 {
            isJoined = true
            defer { isJoined = false }
            try stores.store.runInTransaction {
              try step()
              try step()
              if Bool.random(using: &random) { throw Stop() }
            }
          } else {
            try step()
          }
        } catch {
          failureCount += 1
          expected = before
        }
      }
    }

    mutating func block() throws {
      let before = expected
      do {
        try stores.store.write { _ in
          steps()
          try check()
          if Int.random(in: 0..<5, using: &random) == 0 { throw Stop() }
        }
      } catch is Stop {
        expected = before
      }
      try check()
    }

    // MARK: Comparing

    func check() throws {
      var found = Expected()
      for node in try stores.nodes.all() {
        found.nodes[node.id] = .init(name: node.name, next: node.next.targetId?.value ?? 0)
      }
      for student in try stores.students.all() {
        found.students[student.id] = Set(try student.teachers.getUncachedIdsFromDb())
      }
      found.teachers = Set(try stores.teachers.all().map(\.id))
      found.customers = Set(try stores.customers.all().map(\.id))
      for customer in try stores.customers.all() {
        // Reads through the relation's index.
        for order in try customer.orders.getUncachedIdsFromDb() {
          found.orders[order.value] = customer.id
        }
      }
      #expect(try stores.orders.count() == found.orders.count)
      #expect(found == expected)
    }

    /// Compares indexes and backlinks with the records.
    func checkIndexes() throws {
      for (id, node) in expected.nodes {
        guard let name = node.name else { continue }
        let found = try stores.nodes.query { Property<Node, String?, Void>(propertyId: 3) == name }
          .build().findIds().map(\.value)
        #expect(found == [id])
      }
      for number in 0..<40 {
        let name = "n\(number)"
        let count = try stores.nodes.query { Property<Node, String?, Void>(propertyId: 3) == name }
          .build().count()
        #expect(count == expected.nodes.values.count { $0.name == name })
      }
      for teacher in try stores.teachers.all() {
        let students = expected.students.filter { $0.value.contains(teacher.id) }.keys
        #expect(Set(try teacher.students.getUncachedIdsFromDb()) == Set(students))
      }
    }
  }

  @Test(arguments: 0..<12) func `random failing operations leave no trace`(_ seed: Int) throws {
    var run = Run(stores: try RelationStore(), random: SplitMix(seed: seed))
    for _ in 0..<25 { try run.block() }
    #expect(run.failureCount > 5)
    try run.stores.reopen()
    try run.check()
    try run.checkIndexes()
  }
}
