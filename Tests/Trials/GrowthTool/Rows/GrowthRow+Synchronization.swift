import ObjectBoxRuntimeTestSupport
import ObjectBoxSync
import ObjectBoxTestSupport

@testable import ObjectBox

/// Writes into a synchronized store without a connection.
extension GrowthRow {
  static var synchronization: [GrowthRow] {
    [
      GrowthRow("synchronized objects put", .linear, size: 250) { count, measure in
        let store = try synchronized()
        let orders = (0..<count).map { _ in Order() }
        try measure { try store.box(for: Order.self).put(orders) }
      },
      GrowthRow("synchronized objects updated in one write", .linear, size: 250) { count, measure in
        let store = try synchronized()
        let box = store.box(for: Order.self)
        let orders = (0..<count).map { _ in Order("old") }
        try box.put(orders)
        for order in orders { order.name = "new" }
        try measure { try box.put(orders) }
      },
      GrowthRow("synchronized objects removed in one write", .linear, size: 250) { count, measure in
        let store = try synchronized()
        let box = store.box(for: Order.self)
        try box.put((0..<count).map { _ in Order() })
        try measure { try expect(try box.query().build().remove() == UInt64(count)) }
      },
      GrowthRow("all synchronized objects removed", .linear, size: 250) { count, measure in
        let store = try synchronized()
        let box = store.box(for: Order.self)
        try box.put((0..<count).map { _ in Order() })
        try measure { try box.removeAll() }
        try expect(try box.count() == 0)
      },
      GrowthRow("synchronized objects removed one by one before their upload", .linear, size: 250) {
        count,
        measure in
        let store = try synchronized()
        let box = store.box(for: Order.self)
        let orders = (0..<count).map { _ in Order() }
        try box.put(orders)
        try measure { for order in orders { try expect(try box.remove(order)) } }
        try expect(try box.count() == 0)
      },
      GrowthRow("targets put in one synchronized to-many relation", .linear, size: 250) {
        count,
        measure in
        let store = try synchronized()
        let teachers = (0..<count).map { Teacher("\($0)") }
        try store.box(for: Teacher.self).put(teachers)
        let student = Student("")
        try store.box(for: Student.self).put(student)
        student.teachers.append(contentsOf: teachers)
        try measure { try student.teachers.applyToDb() }
        try expect(try store.box(for: Student.self).all()[0].teachers.count == count)
      },
      GrowthRow(
        "pairs added to one synchronized relation, each in its own write",
        .linear,
        size: 250
      ) {
        count,
        measure in
        let store = try synchronized()
        let teachers = (0..<count).map { Teacher("\($0)") }
        try store.box(for: Teacher.self).put(teachers)
        let student = Student("")
        try store.box(for: Student.self).put(student)
        try measure {
          for teacher in teachers {
            student.teachers.append(teacher)
            try student.teachers.applyToDb()
          }
        }
        try expect(try store.box(for: Student.self).all()[0].teachers.count == count)
      },
      GrowthRow(
        "pairs removed from one synchronized relation, each in its own write",
        .linear,
        size: 250
      ) {
        count,
        measure in
        let store = try synchronized()
        let teachers = (0..<count).map { Teacher("\($0)") }
        try store.box(for: Teacher.self).put(teachers)
        let student = Student("")
        student.teachers.append(contentsOf: teachers)
        try store.box(for: Student.self).put(student)
        try measure {
          for _ in teachers {
            student.teachers.removeLast()
            try student.teachers.applyToDb()
          }
        }
        try expect(try store.box(for: Student.self).all()[0].teachers.isEmpty)
      },
      GrowthRow("objects queued by the first opening", .linear, size: 500) { count, measure in
        let store = try opened()
        let customer = Customer("")
        try store.box(for: Customer.self).put(customer)
        try store.box(for: Order.self).put((0..<count).map { _ in Order("", customer) })
        try measure { _ = try SyncedStore(store) }
        try expect(try store.box(for: Order.self).count() == count)
      },
      GrowthRow("targets of synchronized pairs removed", .linear, size: 100) { count, measure in
        let store = try synchronized()
        let teachers = (0..<count).map { Teacher("\($0)") }
        try store.box(for: Teacher.self).put(teachers)
        let students = teachers.map { teacher in
          let student = Student("")
          student.teachers.append(teacher)
          return student
        }
        try store.box(for: Student.self).put(students)
        try measure { try store.box(for: Teacher.self).removeAll() }
        try expect(try store.box(for: Student.self).all().allSatisfy { $0.teachers.isEmpty })
      },
    ]
  }

  /// Opens a store in memory whose entities are all synchronized.
  static func synchronized() throws -> Store {
    let store = try opened()
    _ = try SyncedStore(store)
    return store
  }

  /// Opens such a store without synchronizing it yet.
  private static func opened() throws -> Store {
    var schema = ModelBuilder.takeSchema(try RelationModel().build())
    for index in schema.entities.indices {
      schema.entities[index].flags |= EntityFlags.syncEnabled.rawValue
    }
    return try Store(
      schema: schema,
      configuration: Store.Configuration(
        directory: "memory:growth \(UInt64.random(in: 0 ... .max))"
      )
    )
  }
}
