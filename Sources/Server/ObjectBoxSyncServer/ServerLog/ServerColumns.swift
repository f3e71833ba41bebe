/// The names of the additional columns of synchronized tables.
enum ServerColumns {
  /// The origin ID of an object; null in rows that are older than the server log.
  static let originID = "\"objectbox_birth\""
  /// The origin ID of objects that no device wrote: a hash of the transaction's time and number.
  ///
  /// A random number would not do: COPY into a table with a volatile default writes each row alone.
  static let originDefault =
    "timestamp_hash_extended(timezone(interval '0', transaction_timestamp()), txid_current())"
  /// The stamp of the last write; null when no device wrote the object.
  static let stamp = "\"objectbox_stamp\""
  /// The stamps of single properties; null without any.
  static let stamps = "\"objectbox_stamps\""
  /// The token of the transaction that added a pair.
  static let dot = "\"objectbox_dot\""

  /// The columns of a SELECT that ``ServerRows`` reads after the columns of the properties.
  static let selection = "\(originID), \(stamp), \(stamps)"
  /// The number of columns in ``selection``.
  static let count = 3
}
