import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport

/// Hubs with many links, and long chains.
extension GrowthRow {
  static var relations: [GrowthRow] {
    [
      GrowthRow("links added to a hub, one write", .linear, size: 100) { count, measure in
        let (store, student, teachers) = try hub(count)
        try measure {
          for teacher in teachers { student.teachers.append(teacher) }
          try student.teachers.applyToDb()
        }
        try expect(try store.students.get(student.id)?.teachers.count == count)
      },
      GrowthRow("links added to a hub, a write for each", .linear, size: 50) { count, measure in
        let (store, student, teachers) = try hub(count)
        try measure {
          try store.store.runInTransaction {
            for teacher in teachers {
              student.teachers.append(teacher)
              try student.teachers.applyToDb()
            }
          }
        }
      },
      GrowthRow("hub read", .linear, size: 250) { count, measure in
        let (store, student, teachers) = try hub(count)
        student.teachers.replace(teachers)
        try student.teachers.applyToDb()
        try measure {
          try expect(try store.students.get(student.id)?.teachers.map(\.name).count == count)
        }
      },
      GrowthRow("hub removed", .linear, size: 250) { count, measure in
        let (store, student, teachers) = try hub(count)
        student.teachers.replace(teachers)
        try student.teachers.applyToDb()
        try measure { try store.students.remove(student) }
      },
      // Each list has a savepoint, while the queue of puts holds all new objects.
      GrowthRow("new targets with lists of their own, put in a block", .linear, size: 250) {
        count,
        measure in
        let store = try RelationStore()
        let teacher = Teacher()
        for _ in 0..<count {
          let student = Student()
          student.teachers.append(Teacher())
          teacher.students.append(student)
        }
        try measure { _ = try store.store.write { try $0.put(teacher) } }
        try expect(try store.teachers.count() == count + 1)
      },
      GrowthRow("backlinks of a hub read", .linear, size: 250) { count, measure in
        let store = try RelationStore()
        let customer = Customer("hub")
        try store.customers.put(customer)
        try store.orders.put(
          (0..<count).map { _ in
            let order = Order()
            order.customer.target = customer
            return order
          }
        )
        try measure {
          try expect(try store.customers.get(customer.id)?.orders.count == count)
        }
      },
      GrowthRow("links joined by ||", .linear, size: 100) { count, measure in
        let store = try RelationStore()
        let customer = Customer("1")
        let order = Order()
        order.customer.target = customer
        try store.orders.put(order)
        try measure {
          var condition = Order.customer.link { Customer.name == "0" }
          for number in 1..<count {
            condition = condition || Order.customer.link { Customer.name == "\(number)" }
          }
          try expect(try store.orders.query { condition }.build().count() == 1)
        }
      },
      GrowthRow("chain put and read", .linear, size: 100) { count, measure in
        let store = try RelationStore()
        let first = Node()
        var last = first
        for _ in 1..<count {
          let next = Node()
          last.next.target = next
          last = next
        }
        try measure {
          try store.nodes.put(first)
          var read = 0
          var node = try store.nodes.get(first.id)
          while let found = node {
            read += 1
            node = found.next.target
          }
          try expect(read == count)
        }
      },
    ]
  }

  private static func hub(_ count: Int) throws -> (RelationStore, Student, [Teacher]) {
    let store = try RelationStore()
    let student = Student("hub")
    try store.students.put(student)
    let teachers = (0..<count).map { Teacher("\($0)") }
    try store.teachers.put(teachers)
    return (store, student, teachers)
  }
}
