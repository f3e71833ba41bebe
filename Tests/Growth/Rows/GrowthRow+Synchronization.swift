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
  private static func synchronized() throws -> Store {
    var schema = ModelBuilder.takeSchema(try RelationModel().build())
    for index in schema.entities.indices {
      schema.entities[index].flags |= EntityFlags.syncEnabled.rawValue
    }
    let store = try Store(
      schema: schema,
      configuration: Store.Configuration(
        directory: "memory:growth \(UInt64.random(in: 0 ... .max))"
      )
    )
    _ = try SyncedStore(store)
    return store
  }
}
