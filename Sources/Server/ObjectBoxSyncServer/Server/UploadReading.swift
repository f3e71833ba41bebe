internal import ObjectBoxSyncConnection
internal import ObjectBoxSyncProtocol

/// Decodes a device's uploads when they are about to be decided.
struct UploadReading: Sendable {
  private let messageSize: Int
  private let limits: SessionLimits
  private let model: SharedModel
  private let large: LargeUpload

  /// Creates the reading of a session.
  ///
  /// - Parameters:
  ///   - sizes: The limits of the server.
  ///   - limits: The limits of the session.
  ///   - model: The shared parts of the model.
  ///   - large: The session's use of the slot for a large transaction.
  init(
    _ sizes: SyncServer.Limits,
    _ limits: SessionLimits,
    _ model: SharedModel,
    _ large: LargeUpload
  ) {
    messageSize = sizes.messageSize
    self.limits = limits
    self.model = model
    self.large = large
  }

  /// Decodes an upload; a transaction above the limits of uploads waits for the server's slot for large ones.
  ///
  /// - Parameter bytes: The bytes of the message.
  /// - Returns: The upload.
  /// - Throws: ``Refused``; `CancellationError`.
  func upload(_ bytes: [UInt8]) async throws -> Upload {
    let upload: Upload
    if bytes.count <= messageSize, let small = try await read(bytes, limits.elements, isLast: false)
    {
      upload = small
    } else {
      try await large.begin()
      guard let one = try await read(bytes, limits.elementsOfOne, isLast: true),
        one.transactions.count == 1
      else {
        throw Refused(
          .rate,
          "an upload with several transactions is larger than the server takes; send them in several uploads"
        )
      }
      upload = one
    }
    try model.check(upload)
    return upload
  }

  /// Decodes an upload; returns nil for too many elements, unless this is the last attempt.
  private func read(_ bytes: [UInt8], _ limit: WireLimit, isLast: Bool) async throws -> Upload? {
    do {
      let message = try await LongWork.run(if: bytes.count > LongWork.byteCount) {
        try WireMessage(received: bytes, limit: limit)
      }
      guard case .upload(let upload) = message else { throw Refused(.message, "it is no upload") }
      return upload
    } catch let refused as Refused where refused.code == .rate && !isLast {
      return nil
    }
  }
}
