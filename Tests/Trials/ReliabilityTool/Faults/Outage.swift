import ObjectBoxTestSupport

/// Losses of power while a case of `faults` goes on, on a disk that forgets what a failed sync leaves.
final class Outage {
  private let place: PowerCase
  private let log: String
  private var random: SplitMix
  /// The disk at the begin of the case.
  private var disk = Disk()

  init(_ place: PowerCase, seed: Int) {
    self.place = place
    log = place.log
    random = SplitMix(seed: seed)
  }

  /// Begins to record; no file of the store may be open.
  ///
  /// - Parameter store: The folder of a store, all of which is on the disk; nil for an empty disk.
  /// - Throws: The system's error.
  func begin(with store: String?) throws {
    disk = try store.map { try Disk($0, as: PowerCase.storeName) } ?? Disk()
    ShimLibrary.record(to: log)
  }

  /// Opens some images of the disk.
  ///
  /// - Parameter state: The acknowledgements.
  /// - Returns: The first fault, and its kind.
  /// - Throws: The system's error.
  func fault(_ state: ExpectedState) throws -> (kind: String, text: String)? {
    var present = disk
    // The mark ends the last synced write.
    for operation in try RecordedOperation.log(at: log) + [.mark("")] { present.apply(operation) }
    var images = [present.whole()]
    for isGarbage in [false, true] {
      images.append(present.random(&random, allowsGarbage: isGarbage))
    }
    for image in images {
      try place.write(image, &random)
      tell("count losses of power")
      if let fault = place.fault(state, image, &random) { return fault }
    }
    return nil
  }
}
