import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Changes relations that stay in memory, and applies them in transactions that often roll back.
///
/// Nothing else changes these relations, so each commit must store exactly the objects of the list.
struct RandomRollbackTests {
  private struct Stop: Error {}

  private func check<H, S>(
    _ relation: ToMany<S>,
    of host: H,
    in hosts: Box<H>,
    to others: Box<S>,
    _ random: inout SplitMix,
    make: () -> S
  ) throws
  where
    H: EntityInspectable & __EntityRelatable, H == H.EntityBindingType.EntityType,
    S: Entity & EntityInspectable & __EntityRelatable,
    S == S.EntityBindingType.EntityType
  {
    var relation = relation
    let store = hosts.store
    var stored: Set<UInt64> = []
    var committed: [Id] = []
    func id(_ object: S) -> UInt64 { S.entityBinding.entityId(of: object) }

    func change() throws {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where !relation.isEmpty:
          relation.remove(at: Int.random(in: 0..<relation.count, using: &random))
        case 1: relation.append(make())
        case 2 where relation.count > 1: relation.append(relation[0])
        case 3 where relation.count > 6: relation.removeSubrange(1..<5)
        case 4 where Bool.random(using: &random): relation.replace(Array(relation.reversed()))
        default:
          // Not one of a transaction that may roll back: its instance would keep the ID of no object.
          if let id = committed.randomElement(using: &random), let other = try others.get(id) {
            relation.append(other)
          }
        }
      }
    }
    func apply() throws {
      if Bool.random(using: &random) { _ = try hosts.put(host) } else { try relation.applyToDb() }
    }
    func listed() -> Set<UInt64> { Set(relation.map(id)) }
    func expectStored(_ expected: Set<UInt64>, _ step: String) throws {
      let found = try relation.getUncachedFromDb().map(id)
      #expect(found == expected.sorted(), "\(step)")
    }

    for round in 0..<150 {
      let step = Int.random(in: 0..<7, using: &random)
      committed = try others.all().map(id)
      let title = "round \(round), step \(step)"
      try change()
      switch step {
      case 0, 1:
        try apply()
        stored = listed()
      case 2:
        #expect(throws: Stop.self) {
          try store.write { _ in
            try apply()
            try expectStored(listed(), "\(title), inside")
            if Bool.random(using: &random) { try change() }
            if Bool.random(using: &random) { try apply() }
            if Bool.random(using: &random) { try change() }
            throw Stop()
          }
        }
      case 3:
        #expect(throws: Stop.self) {
          try store.runInTransaction {
            try apply()
            if Bool.random(using: &random) {
              try change()
              try apply()
            }
            throw Stop()
          }
        }
      case 4:
        // A part that is undone alone, then another one.
        try store.write { _ in
          #expect(throws: Stop.self) {
            try store.runInTransaction {
              try apply()
              if Bool.random(using: &random) { try change() }
              throw Stop()
            }
          }
          try expectStored(stored, "\(title), undone")
          if Bool.random(using: &random) { try change() }
          if Bool.random(using: &random) {
            try apply()
            stored = listed()
          }
        }
      case 5:
        try store.write { _ in
          try apply()
          try change()
          try apply()
          stored = listed()
        }
      default: break
      }
      try expectStored(stored, title)
      let isNew = relation.contains { id($0) == 0 }
      #expect(relation.hasPendingDbChanges == (isNew || listed() != stored), "\(title)")
    }
    try apply()
    #expect(!listed().contains(0))
    try expectStored(listed(), "end")
  }

  @Test(arguments: 0..<TestLength.choose(short: 3, long: 30))
  func `rolled back changes of a relation wait for the next commit, from any end`(
    seed: Int
  ) throws {
    var random = SplitMix(seed: seed)
    let stores = try RelationStore()
    let student = Student("host")
    try stores.students.put(student)
    try check(student.teachers, of: student, in: stores.students, to: stores.teachers, &random) {
      Teacher("new")
    }
    let teacher = Teacher("host")
    try stores.teachers.put(teacher)
    try check(teacher.students, of: teacher, in: stores.teachers, to: stores.students, &random) {
      Student("new")
    }
    let customer = Customer("host")
    try stores.customers.put(customer)
    try check(customer.orders, of: customer, in: stores.customers, to: stores.orders, &random) {
      Order("new")
    }
    let id = try stores.authors.put(Author(name: "host"))
    let author = try #require(try stores.authors.get(id))
    try check(author.books, of: author, in: stores.authors, to: stores.books, &random) {
      Book(title: "new")
    }
  }
}
