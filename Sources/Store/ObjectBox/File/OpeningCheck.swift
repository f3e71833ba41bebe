internal import ObjectBoxStorage

/// Checks a store file before LMDB opens it; LMDB itself checks only the fields of the head pages.
///
/// It reads the head pages, the main table, the free list and the root page of each table, in
/// microseconds. It reads all pages if these have a fault, if the file is shorter than its version
/// says, and before the file goes back to its older version.
struct OpeningCheck {
  /// The state of a file.
  enum Result {
    /// Nothing was ever stored in it.
    case new
    /// The checked pages are sound.
    ///
    /// The image has room, so the environment can continue to use it.
    case sound(StorageImage)
    /// A head page was damaged, and the file went back to the version of the other head page.
    case wentBack(String)
  }

  let path: String
  let location: String
  /// Maps the file.
  ///
  /// Tests replace it to simulate writes of other processes.
  var map: (String) throws -> StorageImage = { try StorageImage(path: $0, hasRoom: true) }

  /// Checks a file, and takes it back to its older version if the newest version is damaged.
  ///
  /// - Parameter alone: Runs a body while no other process has the file open. Returns false,
  ///   without running it, if another process has it open, or nothing may be written.
  /// - Returns: The state of the file.
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when no version is sound, or the file cannot be changed;
  ///   `StorageError` when it cannot be read.
  func run(alone: (() throws -> Void) throws -> Bool) throws -> Result {
    while true {
      let image = try map(path)
      let states = image.heads()
      if image.sizeInBytes == 0 { return .new }
      guard let newest = image.newestHead() else { throw damaged(Self.text(states)) }
      let fault: String?
      if states.allSatisfy({ $0.head != nil }) {
        fault = try self.fault(newest, image)
      } else {
        fault = Self.text(states)
      }
      guard let fault else { return .sound(image) }
      guard try image.isCurrent(newest, at: path) else { continue }
      return try goBack(from: newest, states, image, fault, alone)
    }
  }

  /// Returns the first fault of a version in words; nil if there is none.
  private func fault(_ head: StorageImage.Head, _ image: StorageImage) throws -> String? {
    let isShort = (head.lastPage + 1) * UInt64(head.pageSizeInBytes) > UInt64(image.sizeInBytes)
    return try image.firstFinding(head, isShort ? .all : .quick).map(\.description)
  }

  private func goBack(
    from newest: StorageImage.Head,
    _ states: [StorageImage.HeadState],
    _ image: StorageImage,
    _ fault: String,
    _ alone: (() throws -> Void) throws -> Bool
  ) throws -> Result {
    let isNewestSound = states.contains { $0.head == nil }
    let candidate =
      isNewestSound ? newest : states.compactMap(\.head).first { $0.number != newest.number }
    // After a failed write of a head page, the older version may be a mixture, so all its pages are
    // read.
    guard let candidate, isNewestSound || candidate.version < newest.version,
      try image.firstFinding(candidate, .all) == nil
    else { throw damaged(fault) }
    guard try alone({ try HeadPages.replace(1 - candidate.number, by: candidate, path: path) })
    else {
      throw ObjectBoxError.fileCorrupt(
        message:
          "the newest commit of the store at '\(location)' is torn (\(fault)); open it once without readOnly, "
          + "and in no other process, so that it goes on from version \(candidate.version)"
      )
    }
    return .wentBack(
      "\(fault); it goes on from version \(candidate.version), and a commit after that may be lost"
    )
  }

  private static func text(_ states: [StorageImage.HeadState]) -> String {
    let numbers = states.indices.filter { states[$0].head == nil }
    return numbers.count == 1 ? "head page \(numbers[0]) is damaged" : "both head pages are damaged"
  }

  private func damaged(_ fault: String) -> ObjectBoxError {
    .fileCorrupt(
      message:
        "the file of the store at '\(location)' is damaged or no database: \(fault); "
        + ObjectBoxError.damageAdvice
    )
  }
}
