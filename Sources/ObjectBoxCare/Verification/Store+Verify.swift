public import ObjectBox

extension Store {
  /// Checks the newest version of the whole store, while it stays in use.
  ///
  /// It checks the structure of the file (each page's form and order, that each is used once, the list of free
  /// pages), then what it holds: the schema's digest, records against the schema and their checksums, index entries against records both ways, unique
  /// values, relations from both ends, ID sequences, the graphs of nearest-neighbour indexes. It reads the file
  /// by itself, so that nothing of what the store has in memory hides a fault. Files that earlier versions made
  /// have no checksums: in them a changed byte in a plain value leaves all sound, and is not a fault that it can see.
  ///
  /// The version stays in the file until the check ends (see `activeVersions`); later commits go on.
  ///
  /// - Parameters:
  ///   - maximumFaultCount: The number of faults, at least 1, after which the check ends.
  ///   - progress: Is passed the part that is done, from 0 to 1, now and then; false ends the check.
  /// - Returns: The faults and figures.
  /// - Throws: `ObjectBoxError`: `closed`, `maxReadersExceeded`, or `storageGeneral` when the file cannot be
  ///   read or there is no memory. Damage is not thrown, but reported.
  /// - Complexity: O(n log n) for each index: about a second for a million objects with two indexes. It takes a
  ///   bit of memory for each page, and that of each whole nearest-neighbour graph.
  public func verify(
    maximumFaultCount: Int = 100,
    progress: @escaping (Double) -> Bool = { _ in true }
  ) throws -> VerificationReport {
    let run = VerificationRun(maximumFaultCount: maximumFaultCount, progress: progress)
    return try VersionImage.withNewest(of: transactions, for: .check) { try run.report(on: $0, $1) }
  }

  /// Checks a store file without opening the store, and without a model: the file has its schema.
  ///
  /// The file may be damaged in any way, and is not changed. Where it can be opened, the version that is checked
  /// is kept from processes that write meanwhile; a damaged file that is written to meanwhile may show faults
  /// that it does not have.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store, with or without `data.mdb`.
  ///   - maximumFaultCount: The number of faults, at least 1, after which the check ends.
  ///   - progress: Is passed the part that is done, from 0 to 1, now and then; false ends the check.
  /// - Returns: As ``verify(maximumFaultCount:progress:)``.
  /// - Throws: `ObjectBoxError.storageGeneral(message:)` when there is no such file, it cannot be read, or there
  ///   is no memory.
  public static func verify(
    directory: String,
    maximumFaultCount: Int = 100,
    progress: @escaping (Double) -> Bool = { _ in true }
  ) throws -> VerificationReport {
    let run = VerificationRun(maximumFaultCount: maximumFaultCount, progress: progress)
    return try VersionImage.withNewest(in: directory, for: .check) { image, head in
      if let head { return try run.report(on: image, head) }
      return try run.report(onHeadless: image)
    }
  }
}
