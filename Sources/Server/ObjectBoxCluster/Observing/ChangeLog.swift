internal import ObjectBox

/// One reader's position in the server's log of commits.
///
/// Transactions do not commit in the order of their numbers. So the reader keeps a horizon: all
/// transactions below it have ended and were read. It also keeps the numbers above the horizon that
/// it has read.
struct ChangeLog {
  private let tables: ClusterTables
  /// All transactions below it were read; nil before the first reading.
  private var horizon: UInt64?
  private var read: Set<UInt64> = []
  /// The number after the greatest commit that was read, which is on the server's disk.
  private var durable: UInt64 = 0
  /// The greatest swept number that was handled.
  private var knownSwept: UInt64 = 0

  init(_ tables: ClusterTables) {
    self.tables = tables
  }

  /// Records that the connection broke, possibly because the server crashed.
  ///
  /// After a restart, a server assigns the numbers after the last one on its disk again. Some of them may be below the
  /// horizon: numbers of transactions that had aborted.
  mutating func reconnect() { horizon = horizon.map { min($0, durable) } }

  /// The statements that read new commits, in the order that ``take(_:)`` expects.
  var statements: [Statement] {
    [
      // Runs before the rows are read, so the later snapshot of the rows misses no commit.
      Statement("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint"),
      Statement(
        "SELECT xact::text::bigint FROM \(tables.commitTable) WHERE token = '\(CommitLog.sweptToken)'"
      ),
      Statement(
        """
        SELECT xact::text::bigint, entities, objects FROM \(tables.commitTable)
        WHERE xact >= ($1::bigint)::text::xid8 AND NOT dead ORDER BY xact
        """
      ) { parameters in
        parameters.append(Int64(bitPattern: horizon ?? 0))
      },
    ]
  }

  /// Reads the results of the statements.
  ///
  /// - Parameter rows: The results of each statement.
  /// - Returns: The commits not read before; none at the first reading.
  mutating func take(_ rows: [ResultRows]) -> [ClusterCommit] {
    guard rows.count == 3, let newest = rows[0].integer(0, 0, as: UInt64.self) else { return [] }
    let swept = rows[1].count > 0 ? rows[1].integer(0, 0, as: UInt64.self) ?? 0 : 0
    let isFirst = horizon == nil
    var commits: [ClusterCommit] = []
    if let horizon, newest < horizon || swept >= horizon && swept > knownSwept {
      commits.append(.refresh)
      read = []
    }
    knownSwept = swept
    for row in 0..<rows[2].count {
      guard let number = rows[2].integer(row, 0, as: UInt64.self) else { continue }
      durable = max(durable, number &+ 1)
      guard read.insert(number).inserted, !isFirst else { continue }
      commits.append(commit(rows[2], row))
    }
    horizon = newest
    read = read.filter { $0 >= newest }
    return commits
  }

  private func commit(_ rows: ResultRows, _ row: Int) -> ClusterCommit {
    let entities = rows.bytes(row, 1)?.numbers(UInt64.self) ?? []
    let objects = rows.bytes(row, 2)?.numbers(UInt64.self) ?? []
    var changes: [String: ClusterCommit.Changes] = [:]
    for (uid, id) in zip(entities, objects) {
      guard let entity = tables.model.entities.first(where: { $0.identity.uid == uid }) else {
        continue
      }
      if id == 0 {
        changes[entity.name, default: .init()].hasRemovedAll = true
      } else if id > Int64.max, let first = changes[entity.name]?.ids.last, first < 0 &- id {
        // The end of a run of IDs: see `CommitLog.runs`.
        changes[entity.name]?.ids += first + 1...(0 &- id)
      } else {
        changes[entity.name, default: .init()].ids.append(id)
      }
    }
    for name in changes.keys { changes[name]?.ids.sort() }
    return ClusterCommit(changes: changes)
  }
}
