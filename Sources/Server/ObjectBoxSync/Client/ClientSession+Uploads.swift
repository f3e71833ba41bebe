internal import ObjectBox
internal import ObjectBoxSyncProtocol

extension ClientSession {
  /// Returns the reason for which the server would refuse an upload; nil for one that it accepts.
  static func excess(
    of upload: Upload,
    _ bytes: Int,
    size: Int,
    operations: Int
  ) -> String? {
    if bytes > size {
      return
        "a transaction of \(bytes) bytes waits, and the server takes \(size) bytes; nothing is "
        + "uploaded until the server's 'limits.transactionSize' is raised"
    }
    guard upload.operationCount > operations else { return nil }
    return
      "a transaction of \(upload.operationCount) changes waits, and the server takes "
      + "\(operations); nothing is uploaded until the server's 'limits.transactionOperations' is raised"
  }

  /// Returns the reason for which a transaction with a part that the server's model lacks waits.
  static func missing(_ part: String) -> String {
    "a transaction with \(part) waits, which the server's model or this program's lacks; nothing is "
      + "uploaded until both have it: update the server first, then the programs"
  }

  /// Returns the message about a rule that the device cannot forecast.
  static func different(_ part: String) -> String {
    "the server decides conflicts of \(part) by another rule than this program's model has, so that "
      + "the device shows other results until the server has answered; use one model.json for both"
  }
}

extension SyncedStore {
  /// The greatest number of transactions in an upload.
  private static let batch = 200

  /// Returns the next transactions to upload, as many as fit into a message; nil if none waits.
  ///
  /// - Parameters:
  ///   - sent: The number of waiting transactions whose uploads are under way.
  ///   - size: The greatest size of a message in bytes; one transaction may be larger.
  ///   - operations: The greatest number of operations; one transaction may have more.
  /// - Returns: The upload and its size in bytes.
  /// - Throws: `ObjectBoxError` when the store is closed or damaged.
  func upload(
    from sent: Int,
    size: Int,
    operations: Int
  ) throws -> (Upload, Int)? {
    var limit = Self.batch
    while true {
      let upload = try upload(from: sent, limit: limit)
      if upload.transactions.isEmpty { return nil }
      let bytes = WireMessage.upload(upload).encoded().count
      let isSmall = bytes <= size && upload.operationCount <= operations
      if isSmall || upload.transactions.count == 1 { return (upload, bytes) }
      limit = max(1, upload.transactions.count / 2)
    }
  }
}
