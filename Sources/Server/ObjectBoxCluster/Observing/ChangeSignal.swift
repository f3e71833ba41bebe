/// Wakes observers by a notification on a channel, while some observer holds an advisory lock.
///
/// The notification is not part of the writing transaction: the server would then commit one transaction at a time.
struct ChangeSignal: Sendable {
  /// The first half of the advisory lock's key: the bytes "OBOX".
  private static let lockClass: Int32 = 0x4F42_4F58

  /// The second half of the lock's key, a hash of the schema's name; schemas with equal hashes only wake each other's
  /// observers without need.
  let key: Int32

  init(_ tables: ClusterTables) {
    // FNV-1a with 32 bits.
    key = Int32(
      bitPattern: tables.namespace.utf8.reduce(0x811C_9DC5 as UInt32) {
        ($0 ^ UInt32($1)) &* 0x0100_0193
      }
    )
  }

  private var channel: String { "objectbox_\(UInt32(bitPattern: key))" }

  /// The statements that make a connection an observer's until it is closed.
  var listening: [Statement] {
    [
      Statement(once: "LISTEN \(channel)"),
      Statement("SELECT pg_advisory_lock_shared($1, $2)") { parameters in
        parameters.append(Self.lockClass)
        parameters.append(key)
      },
    ]
  }

  /// Notifies observers; returns a row if there are any.
  var notifying: Statement {
    Statement(
      """
      SELECT pg_notify($3, '') FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 2 AND mode = 'ShareLock'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid = $1::bigint::oid AND objid = $2::bigint::oid
      LIMIT 1
      """
    ) { parameters in
      parameters.append(Int64(UInt32(bitPattern: Self.lockClass)))
      parameters.append(Int64(UInt32(bitPattern: key)))
      parameters.append(channel)
    }
  }
}
