import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxEncryption
import ObjectBoxLive
import ObjectBoxProcessTestSupport

// A process that uses a store: `ProcessTestTool DIRECTORY JOB [NUMBER]`. It reports its steps line
// by line; some jobs run until the process is killed.

func tell(_ text: some CustomStringConvertible) {
  // Unbuffered: a kill loses no report.
  FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}

func waitForever() -> Never {
  while true { sleep(1000) }
}

/// Sets all rows to a number in one commit.
func set(_ rows: [Row], to number: Int64, in transaction: WriteTransaction) throws {
  for row in rows { row.number = number }
  try transaction.put(rows)
}

/// Keeps a read transaction open on a new thread.
func keepReading(_ store: Store) {
  let hasBegun = DispatchSemaphore(value: 0)
  Thread {
    try? store.read { _ in
      hasBegun.signal()
      waitForever()
    }
  }.start()
  hasBegun.wait()
}

func run(_ directory: String, _ job: String, _ number: Int) throws {
  switch job {
  case "increment":
    let store = try Row.store(directory) { $0.isSharedWithOtherProcesses = true }
    for _ in 0..<number {
      try store.write { transaction in try transaction.modify(EntityId<Row>(1)) { $0.number += 1 } }
    }

  case "put":
    let store = try Row.store(directory) { $0.isSharedWithOtherProcesses = true }
    let rows = store.box(for: Row.self)
    for index in 0..<number {
      // Alternates, so that both ways of assigning IDs meet the other processes' IDs.
      let row = Row(Int64(index))
      tell(index.isMultiple(of: 2) ? try rows.put(row).value : try rows.async.put(row).value)
    }

  case "rounds", "hold":
    let store = try Row.store(directory) { $0.isSharedWithOtherProcesses = true }
    keepReading(store)
    let rows = try store.box(for: Row.self).all()
    var round = rows[0].number
    repeat {
      round += 1
      try store.write { transaction in try set(rows, to: round, in: transaction) }
      tell(round)
    } while job == "rounds"
    try store.write { transaction in
      try set(rows, to: round + 1, in: transaction)
      tell("holding")
      waitForever()
    }

  case "grow":
    // One commit, with a far higher limit than the other process.
    let store = try Row.store(directory) { $0.isSharedWithOtherProcesses = true }
    try store.box(for: Row.self).put((0..<number).map { Row(Int64($0)) })

  case "limited":
    // The process has less address space than a map usually takes.
    let store = try Row.store(directory) { $0.maxDbSizeInKByte = 10_000 }
    let rows = store.box(for: Row.self)
    try rows.put((0..<number).map { Row(Int64($0)) })
    tell(try rows.query { Row.number >= 10 }.build().count())
    do { try rows.put((0..<400_000).map { Row(Int64($0)) }) } catch ObjectBoxError.dbFull(let text)
    {
      tell(text.contains("greatest size of 10000 KiB"))
    }
    try rows.query().build().remove(inBatchesOf: 1000)
    tell(try rows.count())

  case "read":
    keepReading(try Row.store(directory) { $0.isSharedWithOtherProcesses = true })
    tell("reading")
    waitForever()

  case "group":
    let store = try Row.store(directory) {
      $0.groupCommit = .init(maximumGroupSize: 20, linger: .seconds(60))
    }
    let queue = SerialQueue(label: "rows")
    // Fills one group, which reports as its members complete, then blocks the tenth block of the
    // next group.
    for index in 1...40 {
      store.writeAsync(
        on: queue,
        isGroupingAllowed: true,
        { transaction in
          try transaction.put(Row(Int64(index)))
          if index == 30 {
            tell("tenth")
            waitForever()
          }
        },
        onComplete: { _ in tell(index) }
      )
    }
    waitForever()

  case "open", "open-shared", "open-read-only", "open-newer":
    let store = try Row.store(directory, isNewer: job == "open-newer") {
      $0.isSharedWithOtherProcesses = job == "open-shared" || job == "open-newer"
      $0.readOnly = job == "open-read-only"
    }
    tell("open \(try store.box(for: Row.self).count())")
    waitForever()

  case "compact":
    let store = try Row.store(directory) { $0.isSharedWithOtherProcesses = true }
    tell("open")
    for _ in 0..<number {
      do { tell(try store.compact()?.version ?? 0) } catch ObjectBoxError.illegalState(let message)
      {
        tell(message)
      }
    }

  case "encrypted":
    let store = try Row.store(directory) { $0.encryption = .key([UInt8](0..<32)) }
    let rows = store.box(for: Row.self)
    while true { tell(try rows.put(Row(Int64(try rows.count())))) }

  case "encrypted-compact":
    let store = try Row.store(directory) { $0.encryption = .key([UInt8](0..<32)) }
    let rows = store.box(for: Row.self)
    while true {
      for _ in 0..<number { tell(try rows.put(Row(Int64(try rows.count())))) }
      try store.compact()
    }

  case "lock":
    // Takes LMDB's lock of an open environment.
    let file = open(directory + "/lock.mdb", O_RDWR)
    var range = flock()
    range.l_type = Int16(F_RDLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_len = 1
    tell(fcntl(file, F_SETLK, &range) == 0 ? "locked" : "refused")
    waitForever()

  case "churn":
    let store = try Row.store(directory) { $0.isSharedWithOtherProcesses = true }
    let rows = store.box(for: Row.self)
    var ids: [EntityId<Row>] = []
    // Keeps few rows, so that most pages are free.
    for index in 1...Int64.max {
      try store.write { transaction in
        ids.append(EntityId(try transaction.put(Row(Int64(number) << 32 + index))))
        if ids.count > 50 { try transaction.remove(ids.removeFirst()) }
      }
      tell("\(index) \(ids[ids.count - 1].value)")
      // Reads find all writes, also after a compaction replaced the file.
      if index.isMultiple(of: 16), try rows.count() < ids.count { tell("fault: rows are missing") }
    }

  case "sync":
    // This program does not link ObjectBoxSync.
    tell(Sync.isAvailable())
    let store = try Row.store(directory)
    do {
      _ = try Sync.makeClient(configuration: .init(store: store, urls: []))
    } catch ObjectBoxError.sync(let message) {
      tell(message)
    }

  case "renew":
    for _ in 0..<number { if let fault = try Renewal.run(directory) { tell(fault) } }

  default: tell("no job '\(job)'")
  }
}

do {
  let arguments = CommandLine.arguments
  try run(arguments[1], arguments[2], arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0)
  tell("done")
} catch {
  tell("error \(error)")
}
