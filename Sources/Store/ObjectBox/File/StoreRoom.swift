internal import Foundation

/// The use of a store's file, for the error of a write without enough room.
///
/// Unknown values are nil, as while the store is being opened.
package struct StoreRoom {
  /// A disk with fewer free bytes counts as full: a small commit and the file system's records need
  /// about this much.
  private static let nearlyNothing = 1 << 20

  var location: String
  /// The limit of the store in bytes.
  var limit: Int?
  /// The size of the file in bytes.
  var size: Int?
  /// Bytes in pages that no version uses.
  var free = 0
  /// Bytes in pages that become free when the held version is released.
  var waiting = 0
  /// The oldest held version and its holder, such as `version 7, which a snapshot made at
  /// App/Notes.swift:12 has held for 4 s`.
  var held: String?
  /// Free bytes on the disk; nil if unknown.
  var disk: Int?

  private static func kibibytes(_ bytes: Int) -> String { "\(bytes / 1024) KiB" }

  /// True when the disk has too little room for a commit.
  var isDiskFull: Bool { disk.map { $0 < Self.nearlyNothing } ?? false }

  /// The error of a write beyond the limit.
  func limitReached(isRemoval: Bool) -> ObjectBoxError {
    let limit = limit.map { " of \(Self.kibibytes($0))" } ?? ""
    let bound = isRemoval ? ", and removals would take more than twice that" : ""
    return .dbFull(
      message:
        "cannot write to the store at '\(location)': it has reached its greatest size\(limit)\(bound)\(use); "
        + advice(isRemoval: isRemoval)
    )
  }

  /// The error of a write beyond the end of the memory map.
  func mapIsFull(cause: String) -> ObjectBoxError {
    .dbFull(
      message:
        "cannot write to the store at '\(location)': the process has no addresses for a larger file "
        + "\(cause)\(use); give it more (ulimit -v), close other stores and open this one again, or remove "
        + "objects"
    )
  }

  /// The error of a write to a full disk.
  func diskIsFull(cause: String) -> ObjectBoxError {
    let rest = disk.map { ", it has \(Self.kibibytes($0)) left" } ?? ""
    return .dbFull(
      message:
        "cannot write to the store at '\(location)': the disk is full\(rest) \(cause); make room on it, the "
        + "store is as it was before"
    )
  }

  /// The size of the file and its use, in words.
  private var use: String {
    guard let size else { return "" }
    let text = "; the file has \(Self.kibibytes(size)), of which \(Self.kibibytes(free)) are free"
    guard let held else { return text }
    return text + ", and \(Self.kibibytes(waiting)) wait for \(held)"
  }

  private func advice(isRemoval: Bool) -> String {
    let release = held == nil ? "" : "let go of that version (see store.activeVersions), "
    let less =
      isRemoval
      ? "remove fewer objects in one transaction (query.remove(inBatchesOf:))"
      : "remove objects (query.remove(inBatchesOf:) takes the least room)"
    return release + less + ", or raise store.maximumSize or maxDbSizeInKByte"
  }
}
