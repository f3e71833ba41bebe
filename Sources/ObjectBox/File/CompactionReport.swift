/// The result of `Store.compact(progress:)`.
public struct CompactionReport: Hashable, Sendable {
  /// The number of the newest commit; a compaction makes none.
  public let version: UInt64
  /// The size of the file before in bytes.
  public let bytesBefore: Int
  /// The size of the file after in bytes.
  public let bytesAfter: Int
}
