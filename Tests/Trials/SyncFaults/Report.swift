import Foundation
import ObjectBoxReliabilitySupport

/// Reads the files of a trial, and checks them.
enum Report {
  /// Checks the trial in a folder, and prints its figures and the broken promises.
  ///
  /// The folder has `database`, with lines `+ TOKEN PART ID TEAM CAUSE` and `cell NUMBER STAMP`, a
  /// folder for each device, and `undone` with lines `TOKEN PART ID` of what promotions have lost.
  ///
  /// - Returns: True when all promises were kept.
  static func run(_ folder: String) throws -> Bool {
    let history = try history(of: folder)
    let faults = SyncHistoryCheck.faults(in: history).map(\.description).sorted()
    let writes = history.devices.flatMap(\.writes.values)
    let rejections = history.devices.reduce(0) { $0 + ($1.end?.rejections.count ?? 0) }
    let views = history.devices.reduce(0) { $0 + $1.views.reduce(0) { $0 + $1.count } }
    guard writes.contains(where: { $0.outcome == .done }), rejections > 0, views > 0 else {
      print("real: no device has written, seen and been rejected: nothing was tried")
      return false
    }
    var figures = [
      "\(history.devices.count) devices", "\(writes.count) transactions in journals",
      "\(history.database.halves.count / 2) accepted", "\(rejections) rejections told",
      "\(history.lost.count) in replaced stores", "\(views) views",
    ]
    figures += undone(in: history)
    print("real: \(figures.joined(separator: ", ")); \(faults.count) findings")
    for fault in faults.prefix(20) { print("  FINDING \(fault)") }
    return faults.isEmpty
  }

  /// Returns the figures of promotions that lost commits.
  private static func undone(in history: SyncHistory) -> [String] {
    guard !history.undone.isEmpty else { return [] }
    let undone = Set(history.undone.keys.map(\.token))
    let back = undone.intersection(history.database.halves.keys.map(\.token)).count
    return ["\(undone.count) accepted ones lost by promotions, \(back) of them back"]
  }

  private static func history(of folder: String) throws -> SyncHistory {
    var database = SyncHistory.State()
    var teams: [SyncHistory.Half: String] = [:]
    var causes: [String: String] = [:]
    for words in try LineFile.words(of: "\(folder)/database") {
      apply(words, to: &database)
      guard words[0] == "+" else { continue }
      teams[.init(words[1], words[2])] = words[4]
      if words.count > 5 { causes[words[1]] = words[5] }
    }
    var undone: [SyncHistory.Half: Set<UInt64>] = [:]
    for words in try LineFile.words(of: "\(folder)/undone") {
      if let id = UInt64(words[2]) { undone[.init(words[0], words[1]), default: []].insert(id) }
    }
    var lost: [String: SyncHistory.Write] = [:]
    var devices: [SyncHistory.Device] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      let device = "\(folder)/\(name)"
      guard let team = try LineFile.words(of: "\(device)/team").first?.first else { continue }
      for file in try FileManager.default.contentsOfDirectory(atPath: device)
      where file.hasPrefix("lost-journal") {
        lost.merge(try writes(in: "\(device)/\(file)")) { $0.outcome == .intent ? $1 : $0 }
      }
      devices.append(
        SyncHistory.Device(
          name: name,
          team: team,
          writes: try writes(in: "\(device)/journal"),
          views: try views(in: "\(device)/views"),
          end: try end(in: "\(device)/end")
        )
      )
    }
    return SyncHistory(
      devices: devices,
      lost: lost,
      undone: undone,
      database: database,
      teams: teams,
      causes: causes
    )
  }

  private static func writes(in file: String) throws -> [String: SyncHistory.Write] {
    var writes: [String: SyncHistory.Write] = [:]
    for words in try LineFile.words(of: file) {
      guard let outcome = SyncHistory.Outcome(rawValue: words[0]) else {
        throw Failure("'\(file)' has the line '\(words)'")
      }
      if outcome == .intent {
        guard let kind = SyncHistory.Kind(rawValue: words[2]) else {
          throw Failure("'\(file)' has the kind '\(words[2])'")
        }
        writes[words[1]] = .init(kind, .intent)
      } else {
        writes[words[1]]?.outcome = outcome
      }
    }
    return writes
  }

  private static func views(in file: String) throws -> [SyncHistory.Views] {
    var sequences: [SyncHistory.Views] = [[]]
    var state: SyncHistory.State?
    func close() {
      if let state { sequences[sequences.count - 1].append(state) }
    }
    for words in try LineFile.words(of: file) {
      switch words[0] {
      case "restored":
        close()
        state = nil
        sequences.append([])
      case "life":
        close()
        state = .init()
      case "view": close()
      default:
        guard var next = state else { throw Failure("'\(file)' begins without a view") }
        apply(words, to: &next)
        state = next
      }
    }
    close()
    return sequences
  }

  private static func end(in file: String) throws -> SyncHistory.End? {
    let lines = try LineFile.words(of: file)
    guard !lines.isEmpty else { return nil }
    var end = SyncHistory.End(state: .init())
    for words in lines {
      switch words[0] {
      case "rejected": end.rejections.append(words[1])
      case "waiting": end.waiting = Int(words[1]) ?? -1
      default: apply(words, to: &end.state)
      }
    }
    return end
  }

  private static func apply(_ words: [String], to state: inout SyncHistory.State) {
    switch words[0] {
    case "+":
      state.halves[.init(words[1], words[2]), default: 0] += 1
      state.places[.init(words[1], words[2])] = UInt64(words[3])
    case "-":
      state.halves[.init(words[1], words[2])] = nil
      state.places[.init(words[1], words[2])] = nil
    case "cell": state.cells[Int(words[1]) ?? 0] = words[2]
    default: break
    }
  }
}
