import Foundation
import ObjectBox
import ObjectBoxReliabilitySupport

/// Runs random transactions of threads, tasks and processes, and looks for an order that explains
/// them.
enum HistoryTrial: Trial {
  static let name = "history"
  static let share: Double? = 1
  static let floor = 1

  static func run(_ options: TrialOptions) throws -> TrialReport {
    var report = TrialReport()
    var figures = Figures()
    for round in options.numbers(options.count(long: 100, timed: 100_000)) {
      if options.deadline.isOver(after: figures.rounds) { break }
      let faults = try runRound(round, options, &figures)
      for fault in faults.prefix(5) {
        report.add(
          "round \(round): \(fault)",
          repeatedBy: Repetition.trial("--seed \(options.seed) --part \(round) history")
        )
      }
    }
    report.count = figures.rounds
    report.figures =
      "\(figures.rounds) histories, \(figures.transactions) transactions, \(figures.writers) of them "
      + "writers, \(figures.rolledBack) rolled back, \(figures.operations) reads and writes, "
      + "\(figures.versions) versions"
    return report
  }

  private struct Figures {
    var rounds = 0
    var transactions = 0
    var writers = 0
    var rolledBack = 0
    var operations = 0
    var versions = 0

    mutating func add(_ history: History) {
      rounds += 1
      transactions += history.transactions.count
      writers += history.transactions.count(where: \.isWriter)
      rolledBack += history.transactions.count { !$0.isCommitted }
      operations += history.transactions.reduce(0) { $0 + $1.operations.count }
      versions += Set(history.transactions.compactMap(\.version)).count
    }
  }

  private static func runRound(
    _ round: Int,
    _ options: TrialOptions,
    _ figures: inout Figures
  ) throws -> [String] {
    let scratch = try Scratch()
    let store = try TrialStore.open(scratch["store"])
    try store.box(for: Register.self).put((0..<Script.registers).map { _ in Register() })
    store.close()
    // Alternates rounds of one, two and three processes, where a store can have several.
    let processes = TrialStore.isEncrypted ? 1 : (options.seed + round) % 3 + 1
    let pipe = try LinePipe()
    let children = try (0..<processes).map { process in
      let arguments = HistoryJob.arguments(
        scratch["store"],
        process: process,
        seed: options.seed &* 7919 &+ round,
        count: options.deadline.isTimed ? 40 : 200,
        isShared: processes > 1
      )
      return try Child(arguments, to: pipe)
    }
    pipe.endWriting()
    var history = History(transactions: [], initial: [:])
    for number in 1...Script.registers { history.initial[number] = 0 }
    let deadline = Clock.now + 300
    reading: while true {
      switch pipe.next(until: deadline) {
      case .line(let line):
        guard let transaction = HistoryLine.transaction(in: line) else { return [line] }
        history.transactions.append(transaction)
      case .end: break reading
      case .timeout: return ["a process took longer than 300 seconds"]
      }
    }
    for child in children where child.wait() != .exit(0) { return ["a process: \(child.wait())"] }
    history.transactions.append(try lastRead(scratch["store"]))
    figures.add(history)
    return HistoryCheck.faults(in: history).map(\.description)
  }

  /// Reads everything after all processes have ended.
  private static func lastRead(_ path: String) throws -> History.Transaction {
    let begin = Clock.nanoseconds
    let store = try TrialStore.open(path)
    defer { store.close() }
    let log = try store.box(for: Register.self).all().map {
      History.Operation.read(register: Int($0.id), value: $0.value)
    }
    return History.Transaction(name: "last", operations: log, begin: begin, end: Clock.nanoseconds)
  }
}
