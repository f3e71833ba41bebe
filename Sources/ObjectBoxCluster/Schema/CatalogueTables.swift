/// The tables that hold no objects, but for the model, which the upgrade makes.
extension ClusterTables {
  /// Makes the tables of IDs and commits where they are missing.
  ///
  /// IDs: the next ID of each entity, by the bits of its UID. Commits: a row for each transaction that wrote.
  /// - `token` decides whether a commit whose connection broke was done: whoever asks inserts a row with the same
  ///   token that is `dead`, which waits for the transaction, and blocks it if it comes later.
  /// - `objects` are the IDs of changed objects, with the UIDs of their entities at the same places of `entities`;
  ///   0 stands for all objects of the entity, a negative number for the IDs from after the one before to its opposite.
  /// - `xact` is the number of the transaction.
  /// - The row with the token zero has the state of the log: see ``CommitLog/sweptToken``. An observer that has not
  ///   read its `xact` has missed rows.
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
      "CREATE INDEX IF NOT EXISTS objectbox_commits_xact ON \(commitTable) (xact)",
      "CREATE INDEX IF NOT EXISTS objectbox_commits_at ON \(commitTable) (at)",
    ]
  }
}
