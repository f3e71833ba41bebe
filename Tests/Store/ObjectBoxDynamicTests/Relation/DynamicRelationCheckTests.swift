import ObjectBox
import ObjectBoxDynamic
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Relations to missing objects in stores without bindings.
struct DynamicRelationCheckTests {
  @Test(arguments: [false, true])
  func `a store without bindings refuses a missing target if its configuration says so`(
    refuses: Bool
  ) throws {
    let relations = try RelationStore()
    relations.store.close()
    var configuration = Store.Configuration(directory: relations.folder.path + "/store")
    configuration.refusesDanglingRelations = refuses
    let store = try Store(existing: configuration)
    defer { store.close() }
    let (orders, customers) = (try store.box(named: "Order"), try store.box(named: "Customer"))
    if refuses {
      let error = #expect(throws: ObjectBoxError.self) {
        try orders.put(["name": "o", "customer": 9])
      }
      #expect(
        error?.message.contains(
          "'Order' with ID 1 refers by 'customer' to 'Customer' with ID 9, and there is no such target"
        ) == true
      )
    } else {
      try orders.put(["name": "o", "customer": 9])
    }
    #expect(try orders.count() == (refuses ? 0 : 1))
    let customer = try customers.put(["name": "c"])
    let order = try orders.put(["name": "p", "customer": customer])
    #expect(try orders.targets("customer", of: order) == [customer])
  }
}
