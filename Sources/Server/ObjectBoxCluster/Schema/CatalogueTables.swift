/// The catalogue's tables for IDs and commits.
extension ClusterTables {
  /// Creates the missing tables of IDs and commits.
  ///
  /// IDs: the next ID of each entity, by its UID stored as a bigint. Commits: one row for each
  /// writing transaction.
  /// - `token` determines whether a commit happened if its connection broke. To ask, insert a row with the same token
  ///   and `dead`: the insert waits for the transaction, and blocks the transaction if that comes later.
  /// - `objects` are the IDs of changed objects; `entities` has their entities' UIDs at the same
  ///   indices. 0 means all objects of the entity. A negative number -*n* means all IDs after the
  ///   previous one, up to *n*.
  /// - `xact` is the number of the transaction.
  /// - The row with token zero has the state of the log: see ``CommitLog/sweptToken``. An observer
  ///   that has not read its `xact` has missed rows.
  var catalogueStatements: [String] {
    [
      """
      CREATE TABLE IF NOT EXISTS \(idTable) (
        entity bigint PRIMARY KEY, next bigint NOT NULL
      )
      """,
      """
      CREATE TABLE IF NOT EXISTS \(commitTable) (
        token uuid PRIMARY KEY,
        dead boolean NOT NULL DEFAULT false,
        xact xid8 NOT NULL DEFAULT pg_current_xact_id(),
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        entities bigint[] NOT NULL DEFAULT '{}',
        objects bigint[] NOT NULL DEFAULT '{}'
      )
      """,
      """
      CREATE TABLE IF NOT EXISTS \(textCountTable) (
        index bigint NOT NULL, objects bigint NOT NULL, words bigint NOT NULL
      )
      """,
      "CREATE INDEX IF NOT EXISTS objectbox_commits_xact ON \(commitTable) (xact)",
      "CREATE INDEX IF NOT EXISTS objectbox_commits_at ON \(commitTable) (at)",
    ]
  }
}
