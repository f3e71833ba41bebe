import Foundation
import ObjectBox

/// The workloads of the benchmarks.
struct Workloads {
  let folder: String
  let count: Int
  let report: Report
  /// The duration of each workload of the group `conc`.
  var seconds = 3.0

  func freshStore() throws -> Store {
    try? FileManager.default.removeItem(atPath: folder)
    return try openStore()
  }

  private func openStore() throws -> Store {
    try Store(directoryPath: folder, maxDbSizeInKByte: 4 << 20)
  }

  func fileSize() throws -> Double {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/data.mdb")
    return (attributes[.size] as? NSNumber)?.doubleValue ?? 0
  }

  // MARK: Groups

  func run(_ group: String) throws {
    switch group {
    case "100k":
      try plain()
      try structs()
      try indexed()
      try unique()
    case "durable": try durable()
    case "conc": try concurrent()
    case "micro": try micro()
    case "digest": print(DataSet.digest(count))
    case "1m":
      // The store stays for the group `rss`.
      return try many(count == 100_000 ? 1_000_000 : count, suffix: "1m", report)
    case "growth":
      var report = report
      report.peer = "objectbox_100k"
      try many(count, suffix: "10m", report)
      report.peer = "objectbox"
      try many(count * 100, suffix: "10m", report)
    case "rss": try memory()
    case "vectors": try vectors()
    case "filtered": try filteredVectors()
    case "vector-file": return try writeVectors()
    default: break
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Puts all objects into a new store, several times, and returns the last store.
  private func putAll<T: Measured & EntityInspectable & __EntityRelatable>(
    _ objects: [T],
    _ workload: String
  ) throws -> Store where T == T.EntityBindingType.EntityType {
    var store: Store?
    var times: [Double] = []
    for _ in 0..<(report.isWanted(workload) ? report.repetitions : 1) {
      store?.close()
      let fresh = try freshStore()
      for var object in objects { object.id = 0 }
      let box = fresh.box(for: T.self)
      times.append(try report.nanoseconds { try box.put(objects) })
      store = fresh
    }
    report.emit(workload, times, objects.count)
    guard let store else { throw WrongResult(description: "no repetition") }
    return store
  }

  private func plain() throws {
    let objects = DataSet.objects(count, as: Plain.self)
    let store = try putAll(objects, "W01_put_bulk")
    defer { store.close() }
    let box = store.box(for: Plain.self)
    report.emit(value: try fileSize(), "W12_file_bytes")
    report.emit(value: try fileSize() / Double(count), "W12_bytes_per_object")
    for object in objects { object.score += 1 }
    try report.time("W02_update_bulk", operations: count) { try box.put(objects) }
    let everything = try box.query().build()
    try report.time("W18_update_query", operations: count) {
      let updated = try everything.update { $0.set(Plain.score, to: 0.5) }
      try require(updated == UInt64(count), "updated")
    }
    try report.time("W18_get_and_put", operations: count) {
      let found = try everything.find()
      for object in found { object.score = 0.25 }
      try box.put(found)
    }
    try box.put(objects)

    let ids = DataSet.shuffled(count, taken: count).map { objects[$0].id }
    var sum: Int64 = 0
    try report.time("W04_get_one_tx", operations: count) {
      try store.runInReadOnlyTransaction {
        for id in ids { sum += Int64(try box.get(id)?.age ?? 0) }
      }
    }
    try report.time("W04_get_tx_each", operations: count) {
      for id in ids { sum += Int64(try box.get(id)?.age ?? 0) }
    }
    let rounds = ["W04_get_one_tx", "W04_get_tx_each"].count(where: report.isWanted)
    try require(
      sum == objects.reduce(0) { $0 + Int64($1.age) } * Int64(rounds * report.repetitions),
      "sum"
    )
    var all: [Plain] = []
    try report.time("W05_read_all", operations: count) { all = try box.all() }
    if report.isWanted("W05_read_all") {
      try require(all.count == count && all[count / 2].note == objects[count / 2].note, "read all")
    }
    all = []
    try report.time("W05_scan_discard", operations: count) {
      try box.forEach { sum += Int64($0.age) }
    }
    let inRange = objects.count { (1000...1999).contains($0.age) }
    let range = try box.query { .age ∈ 1000...1999 }.build()
    try report.time("W06_range_scan_count", operations: count) {
      try require(try range.count() == inRange, "range count")
    }
    try report.time("W06_range_scan_find", operations: count) {
      try require(try range.find().count == inRange, "range find")
    }
    let withNeedle = objects.count { $0.note.contains("needle") }
    let contains = try box.query { Plain.note.contains("needle") }.build()
    try report.time("W09_contains_count", operations: count) {
      try require(try contains.count() == withNeedle, "contains")
    }
    let withPrefix = objects.count { $0.name.hasPrefix("user-0") }
    let prefix = try box.query { Plain.name.startsWith("user-0") }.build()
    try report.time("W09_prefix_count", operations: count) {
      try require(try prefix.count() == withPrefix, "prefix")
    }
    let half = Array(ids.prefix(count / 2))
    try report.time("W10_remove_by_id", operations: half.count, once: true) {
      try require(try box.remove(half) == UInt64(half.count), "removed")
    }
    try report.time("W10_remove_all", operations: count - half.count, once: true) {
      try box.removeAll()
    }
  }

  private func structs() throws {
    var report = report
    report.peer += "_struct"
    var objects = DataSet.flat(count)
    let store = try freshStore()
    defer { store.close() }
    let box = store.box(for: Flat.self)
    if !report.isWanted("W01_put_bulk") { try box.put(&objects) }
    try report.time("W01_put_bulk", operations: count, once: true) { try box.put(&objects) }
    try report.time("W02_update_bulk", operations: count) { try box.put(objects) }
    let ids = DataSet.shuffled(count, taken: count).map { objects[$0].id }
    var sum: Int64 = 0
    try report.time("W04_get_tx_each", operations: count) {
      for id in ids { sum += Int64(try box.get(id)?.age ?? 0) }
    }
    var all: [Flat] = []
    try report.time("W05_read_all", operations: count) { all = try box.all() }
    if report.isWanted("W05_read_all") { try require(all.count == count, "read all") }
    if report.isWanted("W04_get_tx_each") { try require(sum > 0, "sum") }
  }

  private func indexed() throws {
    let objects = DataSet.objects(count, as: Indexed.self)
    let store = try putAll(objects, "W01_put_bulk_indexed")
    defer { store.close() }
    let box = store.box(for: Indexed.self)
    report.emit(value: try fileSize(), "W12_file_bytes_indexed")
    for object in objects { object.score += 1 }
    try report.time("W02_update_bulk_indexed", operations: count) { try box.put(objects) }
    for object in objects { object.age = (object.age + 137) % 10000 }
    let changed = "W02_update_bulk_indexed_key_changed"
    if !report.isWanted(changed) { try box.put(objects) }
    try report.time(changed, operations: count, once: true) {
      try box.put(objects)
    }
    // Copies: names that share storage with stored objects would compare equal by address.
    let names = DataSet.shuffled(count, taken: count / 2, seed: 11).map {
      String(decoding: Array(objects[$0].name.utf8), as: UTF8.self)
    }
    let byName = try box.query { .name == "" }.build()
    try report.time("W07_index_string_eq", operations: names.count) {
      try store.runInReadOnlyTransaction {
        for name in names {
          byName.setParameter(Indexed.name, to: name)
          try require(try byName.findFirst()?.name == name, "name")
        }
      }
    }
    let wanted = objects.count { (5000...5099).contains($0.age) }
    let byAge = try box.query { .age ∈ 5000...5099 }.build()
    try report.time("W08_index_range_find", operations: wanted, factor: 5) {
      try require(try byAge.find().count == wanted, "ages")
    }
    let ids = DataSet.shuffled(count, taken: count / 2).map { objects[$0].id }
    try report.time("W10_remove_by_id_indexed", operations: ids.count, once: true) {
      try box.remove(ids)
    }
  }

  private func unique() throws {
    let objects = DataSet.objects(count, as: Unique.self)
    let store = try putAll(objects, "W11_put_bulk_unique")
    defer { store.close() }
    let box = store.box(for: Unique.self)
    let twins = (0..<2000).map { DataSet.object(UInt64($0 * 31 % count), as: Unique.self) }
    try report.time("W11_unique_violation", operations: twins.count) {
      for twin in twins {
        do {
          try box.put(twin)
          throw WrongResult(description: "a twin was stored")
        } catch ObjectBoxError.uniqueViolation {}
      }
    }
  }

  private func durable() throws {
    let puts = count / 100
    let objects = DataSet.objects(puts, as: Plain.self)
    do {
      let store = try freshStore()
      defer { store.close() }
      let box = store.box(for: Plain.self)
      try report.time("W03_put_durable_1thread", operations: objects.count, once: true) {
        for object in objects { try box.put(object) }
      }
    }
    let store = try freshStore()
    defer { store.close() }
    let box = store.box(for: Plain.self)
    report.time("W03_put_durable_8threads", operations: puts, once: true) {
      Self.startThreads(8) { thread in
        for number in stride(from: thread, to: puts, by: 8) {
          _ = try? box.put(DataSet.object(UInt64(number), as: Plain.self))
        }
      }.wait()
    }
    try require(try box.count() == puts, "durable puts")
  }

  /// Puts many objects into a store, and reads them in the order of their IDs.
  private func many(_ count: Int, suffix: String, _ report: Report) throws {
    do {
      let store = try freshStore()
      defer { store.close() }
      let objects = DataSet.objects(count, as: Plain.self)
      try report.time("W01_put_bulk_\(suffix)", operations: count, once: true) {
        try store.box(for: Plain.self).put(objects)
      }
      report.emit(value: try fileSize(), "W12_file_bytes_\(suffix)")
    }
    var opening: [Double] = []
    for _ in 0..<5 {
      var store: Store?
      opening.append(try report.nanoseconds { store = try openStore() } / 1000)
      store?.close()
    }
    report.emit(value: Report.median(opening), "W14_open_\(suffix)_us")
    let store = try openStore()
    defer { store.close() }
    let box = store.box(for: Plain.self)
    try report.time("W05_read_all_\(suffix)", operations: count, once: true) {
      try require(try box.all().count == count, "read all")
    }
    let ids = DataSet.shuffled(count, taken: count / 5).map { Id($0 + 1) }
    var sum: Int64 = 0
    try report.time("W04_get_one_tx_\(suffix)", operations: ids.count) {
      try store.runInReadOnlyTransaction {
        for id in ids { sum += Int64(try box.get(id)?.age ?? 0) }
      }
    }
    let before = try kilobytes("RssAnon:")
    try report.time("W05_scan_discard_\(suffix)", operations: count) {
      try box.forEach { sum += Int64($0.age) }
    }
    report.emit(value: try kilobytes("RssAnon:") - before, "W14_rss_anon_growth_\(suffix)_kib")
    let range = try box.query { .age ∈ 1000...1999 }.build()
    try report.time("W06_range_scan_count_\(suffix)", operations: count) { _ = try range.count() }
  }

  /// Prints the memory of a process that only visits the objects stored by the group `1m`.
  private func memory() throws {
    let store = try openStore()
    defer { store.close() }
    let before = try kilobytes("RssAnon:")
    var sum: Int64 = 0
    try store.box(for: Plain.self).forEach { sum += Int64($0.age) }
    try require(sum > 0, "the group 1m left no objects behind")
    report.emit(value: try kilobytes("RssAnon:"), "W14_rss_anon_kib")
    report.emit(value: try kilobytes("RssAnon:") - before, "W14_rss_anon_scan_growth_kib")
    report.emit(value: try kilobytes("RssFile:"), "W14_rss_file_kib")
  }

  /// Returns a number of the process from `/proc`; 0 on systems without that folder.
  private func kilobytes(_ line: String) throws -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let words = status.split(separator: "\n").first { $0.hasPrefix(line) }
    return Double(words?.filter(\.isNumber) ?? "") ?? 0
  }
}
