internal import Foundation
internal import ObjectBoxStorage

/// The check of a store file before LMDB opens it, which looks at the head pages' own fields only.
///
/// It reads the head pages, the main table, the free list and the root page of each table, in microseconds; all
/// pages when these have a fault, when the file is shorter than its version says, and before the file goes back to
/// its older version.
struct OpeningCheck {
  /// The state of a file.
  enum Result {
    /// Nothing was ever stored in it.
    case new
    /// The pages that were looked at are whole; the image has room, so that the environment can go on with it.
    case sound(StorageImage)
    /// A head page was damaged, and the file goes on from the version of the other one.
    case wentBack(String)
  }

  let path: String
  let location: String
  /// Maps the file; tests let others write behind it.
  var map: (String) throws -> StorageImage = { try StorageImage(path: $0, hasRoom: true) }

  /// Checks a file, and takes it back to its older version when the newest one is damaged.
  ///
  /// - Parameter alone: Runs a body while no other process has the file open, and returns false when one has, or
  ///   nothing may be written.
  /// - Returns: The state of the file.
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when no version is sound, or the file cannot be changed;
  ///   `StorageError` when it cannot be read.
  func run(alone: (() throws -> Void) throws -> Bool) throws -> Result {
    while true {
      let image = try map(path)
      let states = image.heads()
      if Self.isNew(image, states) { return .new }
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

  /// Returns whether nothing was ever stored in a file.
  ///
  /// It is empty then, or has no more than what earlier versions left when power was lost while they made it. Files
  /// of other programs are none.
  private static func isNew(_ image: StorageImage, _ states: [StorageImage.HeadState]) -> Bool {
    let isHeadless = states.allSatisfy { state in
      switch state {
      case .missing, .empty, .damaged: true
      case .sound, .foreign, .otherVersion: false
      }
    }
    guard isHeadless, image.sizeInBytes <= 2 * Int(sysconf(Int32(_SC_PAGESIZE))) else {
      return false
    }
    let hasHead = states.contains { if case .damaged = $0 { true } else { false } }
    return hasHead || image.withBytes { $0.allSatisfy { $0 == 0 } }
  }

  /// Returns the first fault of a version, in words; nil when there is none.
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
    // After a write of a head page that did not succeed, the older one may be a mixture: all of it is read.
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
