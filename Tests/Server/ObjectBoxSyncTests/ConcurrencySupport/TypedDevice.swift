@testable import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxSyncSchema
import ObjectBoxTestSupport

/// A store with the entities of the relation tests, all of them synchronized.
final class TypedDevice: Sendable {
  let folder: TemporaryDirectory
  let store: Store
  let synced: SyncedStore

  /// Opens a store, in a folder of its own unless one is given.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - omitted: A property that no entity of the model has.
  /// - Throws: What opening the store throws.
  init(folder: TemporaryDirectory? = nil, without omitted: String? = nil) throws {
    self.folder = try folder ?? TemporaryDirectory()
    var schema = try Self.schema
    for index in schema.entities.indices {
      schema.entities[index].properties.removeAll { $0.name == omitted }
    }
    store = try Store(
      schema: schema,
      configuration: Store.Configuration(directory: self.folder.path + "/store")
    )
    synced = try SyncedStore(store)
  }

  private static var schema: StoreSchema {
    get throws {
      var schema = ModelBuilder.takeSchema(try RelationModel().build())
      for index in schema.entities.indices {
        schema.entities[index].flags |= EntityFlags.syncEnabled.rawValue
      }
      return schema
    }
  }

  static var server: MemoryServerLog {
    get throws {
      let schema = try schema
      let toOnes = schema.entities.flatMap(\.properties).filter { $0.type == .relation }
      return MemoryServerLog(
        rules: SyncRules(schema),
        toOnes: Set(toOnes.map { PropertyUID($0.identity.uid) })
      )
    }
  }

  /// Uploads all that waits, and takes the result.
  func sync(with server: MemoryServerLog) throws {
    while true {
      try synced.receive(try server.receive(try synced.upload(limit: 50)))
      guard case .delta(let delta) = server.receive(try synced.deltaRequest()) else {
        throw MemoryServerLog.Unexpected()
      }
      try synced.receive(delta)
      if try synced.waitingCount == 0 { return }
    }
  }

  /// The customers with their orders, and the students with their teachers.
  func content() throws -> [String] {
    let customers = try store.box(for: Customer.self).all().map { customer in
      "customer \(customer.id.value) \(customer.name) \(customer.orders.map(\.id.value).sorted())"
    }
    let orders = try store.box(for: Order.self).all().map { "order \($0.id.value) \($0.name)" }
    let students = try store.box(for: Student.self).all().map { student in
      "student \(student.id.value) \(student.name) \(student.teachers.map(\.name).sorted())"
    }
    return customers + orders + students
  }
}
