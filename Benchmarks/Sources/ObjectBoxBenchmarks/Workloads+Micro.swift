import Foundation
import ObjectBox
import ObjectBoxLive
import Synchronization

extension Workloads {
  /// Times single steps of other workloads.
  func micro() throws {
    let store = try freshStore()
    defer { store.close() }
    try report.time("X04_txn_renew_reset", operations: count) {
      for _ in 0..<count { try store.runInReadOnlyTransaction {} }
    }
    try report.time("X03_empty_write_txn", operations: 1000) {
      for _ in 0..<1000 { try store.runInTransaction {} }
    }
    let box = store.box(for: Plain.self)
    try report.time("X06_build_query", operations: 10_000) {
      for age in 0..<Int32(10_000) { _ = try box.query { .age == age }.build() }
    }
    try snapshots(of: store)
    try relations(in: store)
    try subscriptions()
  }

  /// Times a read on one thread and on two threads: equal times show no contention.
  private func snapshots(of store: Store) throws {
    try store.box(for: Plain.self).put(DataSet.objects(count, as: Plain.self))
    let ids = DataSet.shuffled(count, taken: count).map { Id($0 + 1) }
    let snapshot = try store.freeze()
    let failures = Failures()
    for threads in [1, 2] {
      let workload = "X04_snapshot_read_\(threads)thread\(threads == 1 ? "" : "s")"
      report.time(workload, operations: count) {
        Self.startThreads(threads) { _ in
          for id in ids where (try? snapshot.object(Plain.self, id)?[Plain.age]) == nil {
            failures.count.add(1, ordering: .relaxed)
          }
        }.wait()
      }
    }
    try require(failures.count.load(ordering: .relaxed) == 0, "reads of a snapshot")
  }

  // MARK: Relations

  /// Times relations that load on first use, and relations that load with the results of a query.
  private func relations(in store: Store) throws {
    let shelves = store.box(for: Shelf.self)
    let books = store.box(for: Book.self)
    try store.runInTransaction {
      for number in DataSet.shuffled(count / 10, taken: count / 10, seed: 13) {
        let shelf = Shelf(number)
        try shelves.put(shelf)
        let own = (0..<10).map { Book(number * 10 + $0, on: shelf) }
        try books.put(own)
        shelf.favorites.replace(own)
        try shelf.favorites.applyToDb()
      }
    }
    try load("X16_lazy_to_many_10", { try shelves.all() }) { $0.favorites.reduce(0, Self.sum) }
    try load("X16_lazy_backlink_10", { try shelves.all() }) { $0.books.reduce(0, Self.sum) }
    try load("X16_lazy_to_one", { try books.all() }) { $0.shelf.target?.number ?? -1 }
    try inclusions(shelves, books)
  }

  /// Times the reading of books: alone, with related objects, and as related objects.
  private func inclusions(_ shelves: Box<Shelf>, _ books: Box<Book>) throws {
    let total = count / 10 * 10
    var found: [Book] = []
    try report.time("X16_read_all_related", operations: total) { found = try books.all() }
    found = []
    var hosts: [Shelf] = []
    for (name, relation) in [("to_many", Shelf.favorites), ("backlink", Shelf.books)] {
      let query = try shelves.query().include(relation).build()
      try report.time("X16_include_\(name)", operations: total) { hosts = try query.find() }
      if let last = hosts.last, report.isWanted("X16_include_\(name)") {
        try require(name == "backlink" ? last.books.resolved : last.favorites.resolved, name)
      }
      hosts = []
    }
    let query = try books.query().include(Book.shelf).build()
    try report.time("X16_include_to_one", operations: total) { found = try query.find() }
    if report.isWanted("X16_include_to_one") { try require(found.count == total, "to_one") }
    let ordered = try books.query().ordered(by: Book.shelf, Shelf.number, flags: .descending)
      .build()
    try report.time("X18_order_by_target", operations: total) {
      try require(try ordered.findIds().count == total, "ordered")
    }
    let named = try books.query()
      .ordered(by: Book.shelf, Shelf.name, flags: .descending, .caseSensitive).build()
    try report.time("X18_order_by_target_name", operations: total) {
      try require(try named.findIds().count == total, "named")
    }
  }

  private static func sum(_ sum: Int, _ book: Book) -> Int { sum + book.number }

  /// Times the first use of a relation; each run reads the objects again.
  private func load<T>(_ workload: String, _ objects: () throws -> [T], _ use: (T) -> Int) throws {
    guard report.isWanted(workload) else { return }
    var times: [Double] = []
    var sums: Set<Int> = []
    var operations = 0
    for _ in 0..<report.repetitions {
      let objects = try objects()
      operations = objects.count
      var sum = 0
      times.append(report.nanoseconds { for object in objects { sum += use(object) } })
      sums.insert(sum)
    }
    try require(sums.count == 1 && sums != [0], workload)
    report.emit(workload, times, operations)
  }

  // MARK: Subscriptions

  /// Times commits of one put beside subscribed queries, in memory: disk waits would hide the cost.
  private func subscriptions() throws {
    let store = try Store(directoryPath: "memory:objectbox-benchmark")
    defer { store.close() }
    let box = store.box(for: Plain.self)
    let queue = DispatchQueue(label: "subscriptions")
    func commit(_ workload: String) throws {
      try report.time(workload, operations: 200) {
        for number in 0..<UInt64(200) { try box.put(DataSet.object(number, as: Plain.self)) }
      }
    }
    try commit("X17_commit_0_queries")
    let others = store.box(for: Indexed.self)
    var observers = try (0..<1000).map { number in
      let query = try others.query { .age == Int32(number) }.build()
      return query.subscribe(dispatchQueue: queue, flags: [], changeHandler: {})
    }
    try commit("X17_commit_1000_queries_of_others")
    observers = try (0..<1000).map { number in
      let query = try box.query { .age == Int32(number) }.build()
      return query.subscribe(dispatchQueue: queue, flags: [], changeHandler: {})
    }
    try commit("X17_commit_1000_queries_of_it")
    withExtendedLifetime(observers) {}
  }
}

/// Counts the reads of all threads that found nothing.
private final class Failures: Sendable {
  let count = Atomic(0)
}
