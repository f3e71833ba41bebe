/// The result of `Store.compact(progress:)`.
public struct CompactionReport: Hashable, Sendable {
  /// The number of the newest commit; a compaction is not a commit.
  public let version: UInt64
  /// The size of the file before the compaction in bytes; of an encrypted store, of its file in
  /// memory.
  public let bytesBefore: Int
  /// The size of the file after the compaction in bytes.
  public let bytesAfter: Int
}
