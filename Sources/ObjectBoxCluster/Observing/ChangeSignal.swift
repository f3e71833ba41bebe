/// The way in which writers wake observers: a notification on a channel, while some observer holds a lock.
///
/// A notification in the transaction itself would make the server commit one transaction at a time.
struct ChangeSignal: Sendable {
  /// The first half of the keys of advisory locks, the bytes "OBOX".
  private static let lockClass: Int32 = 0x4F42_4F58

  /// The second half, from the name of the schema; another schema with the same one wakes observers in vain.
  let key: Int32

  init(_ tables: ClusterTables) {
    // The hash FNV-1a of 32 bits.
    key = Int32(
      bitPattern: tables.namespace.utf8.reduce(0x811C_9DC5 as UInt32) {
        ($0 ^ UInt32($1)) &* 0x0100_0193
      }
    )
  }

  private var channel: String { "objectbox_\(UInt32(bitPattern: key))" }

  /// Statements by which a connection becomes that of an observer, until it is closed.
  var listening: [Statement] {
    [
      Statement(once: "LISTEN \(channel)"),
      Statement("SELECT pg_advisory_lock_shared($1, $2)") { parameters in
        parameters.append(Self.lockClass)
        parameters.append(key)
      },
    ]
  }

  /// Notifies observers; returns a row when there are any.
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
