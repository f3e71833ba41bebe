import Dispatch
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxSync
import ObjectBoxSyncProtocol
import Testing

@Suite struct SyncedStoreConcurrencyTests {
  @Test func `puts of several threads are queued as they were committed`() throws {
    let server = try TypedDevice.server
    let (one, two) = (try TypedDevice(), try TypedDevice())
    let shared = try one.store.box(for: Customer.self).put(Customer("shared"))
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      let box = one.store.box(for: Customer.self)
      for number in 0..<50 {
        let customer = Customer("\(thread)-\(number)")
        if number.isMultiple(of: 5) { customer.id = shared }
        #expect(throws: Never.self) { try box.put(customer) }
      }
    }
    let content = try one.content()
    try one.sync(with: server)
    try two.sync(with: server)
    #expect(try one.content() == content)
    #expect(try two.content() == content)
    #expect(try two.store.box(for: Customer.self).count() == 161)
  }

  @Test func `a store is hashed for a reset beside a write of the program`() async throws {
    let server = try TypedDevice.server
    let device = try TypedDevice()
    _ = try device.store.box(for: Customer.self).put(Customer("first"))
    try device.sync(with: server)
    let deltaRequest = try device.synced.deltaRequest()
    let epoch = try #require(deltaRequest.cursor?.epoch)
    let (synced, store) = (device.synced, device.store)
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let writer = Task.detached {
      try store.runInTransaction {
        _ = try store.box(for: Customer.self).put(Customer("second"))
        begun.signal()
        ended.wait()
      }
    }
    // On a thread that may wait for the writer's.
    let digests = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        begun.wait()
        let reset = Reset(state: deltaRequest.state, epoch: epoch)
        continuation.resume(with: Result { try synced.receive(reset, size: 4) })
        ended.signal()
      }
    }
    #expect(digests?.deltaRequest == deltaRequest)
    try await writer.value
    #expect(try store.box(for: Customer.self).count() == 2)
  }

  @Test func `blocks that share a commit are queued one by one`() async throws {
    let server = try TypedDevice.server
    let (one, two) = (try TypedDevice(), try TypedDevice())
    let id = try one.store.box(for: Customer.self).put(Customer("start"))
    struct Stop: Error {}
    await withTaskGroup { group in
      for number in 1...60 {
        group.addTask {
          try? await one.store.write { transaction in
            // A block that restores the committed name must be queued after one that changes it.
            let customer = Customer(number.isMultiple(of: 2) ? "start" : "other")
            customer.id = id
            try transaction.put(customer)
            try transaction.put(Order("order \(number)", customer))
            if number.isMultiple(of: 7) { throw Stop() }
          }
        }
      }
    }
    #expect(try one.synced.waitingCount == 1 + 60 - 8)
    let content = try one.content()
    try one.sync(with: server)
    #expect(try one.content() == content)
    try two.sync(with: server)
    #expect(try two.content() == one.content())
    #expect(try two.store.box(for: Order.self).count() == 52)
  }

  @Test func `a removal of all objects removes those of earlier blocks`() async throws {
    let server = try TypedDevice.server
    let one = try TypedDevice()
    await withTaskGroup { group in
      for number in 1...60 {
        group.addTask {
          _ = try? await one.store.write { transaction in
            if number.isMultiple(of: 3) {
              try transaction.removeAll(Order.self)
            } else {
              try transaction.put(Order("order \(number)"))
            }
          }
        }
      }
    }
    let content = try one.content()
    try one.sync(with: server)
    #expect(try one.content() == content)
    #expect(server.rows.count == content.count)
  }

  @Test func `asynchronous puts and changes of relations are queued`() throws {
    let server = try TypedDevice.server
    let (one, two) = (try TypedDevice(), try TypedDevice())
    let orders = one.store.box(for: Order.self)
    for number in 1...20 { try orders.async.put(Order("async \(number)")) }
    #expect(one.store.awaitAsyncCompleted())
    let students = one.store.box(for: Student.self)
    let student = Student("Ada")
    student.teachers.append(Teacher("Bell"))
    student.teachers.append(Teacher("Cole"))
    try students.put(student)
    student.teachers.removeFirst()
    try student.teachers.applyToDb()
    let customer = Customer("Zoe")
    customer.orders.append(Order("last"))
    try one.store.box(for: Customer.self).put(customer)
    let content = try one.content()
    try one.sync(with: server)
    try two.sync(with: server)
    #expect(try one.content() == content)
    #expect(try two.content() == content)
    #expect(content.contains { $0.hasSuffix("Ada [\"Cole\"]") })
    #expect(content.contains { $0.contains("Zoe [") && !$0.hasSuffix("[]") })
    #expect(try two.store.box(for: Order.self).count() == 21)
  }

  @Test func `deltas arrive while the program writes`() throws {
    // One thread at a time uses it.
    nonisolated(unsafe) let server = try TypedDevice.server
    let (one, two) = (try TypedDevice(), try TypedDevice())
    for number in 0..<30 { try one.store.box(for: Order.self).put(Order("one \(number)")) }
    try one.sync(with: server)
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      #expect(throws: Never.self) {
        for number in 0..<30 {
          if thread == 0 {
            guard case .delta(let delta) = server.receive(try two.synced.deltaRequest()) else {
              continue
            }
            _ = try two.synced.receive(delta)
          } else {
            try two.store.box(for: Order.self).put(Order("two \(thread) \(number)"))
          }
        }
      }
    }
    #expect(try two.synced.waitingCount == 60)
    try two.sync(with: server)
    try one.sync(with: server)
    #expect(try two.content() == one.content())
    #expect(try one.store.box(for: Order.self).count() == 90)
  }

  @Test func `a commit tells that there is something to send`() async throws {
    let device = try TypedDevice()
    try device.store.box(for: Order.self).put(Order("first"))
    var iterator = device.synced.changes.makeAsyncIterator()
    #expect(await iterator.next() != nil)
  }
}
