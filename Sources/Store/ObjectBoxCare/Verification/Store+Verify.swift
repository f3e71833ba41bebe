public import ObjectBox

extension Store {
  /// Checks the newest version of the whole store, while it stays in use.
  ///
  /// Checks the structure of the file: each page's form and order, that each page is used once, the
  /// free list. Then it checks the content: the schema's digest, records against the schema and
  /// their checksums, index entries against records in both directions, unique values, relations
  /// from both ends, ID sequences, nearest-neighbour graphs. It reads the file itself, so the
  /// store's state in memory cannot hide a fault.
  ///
  /// The version stays in the file until the check ends (see `activeVersions`); later commits
  /// continue.
  ///
  ///     let report = try store.verify()
  ///     if !report.isSound { report.faults.forEach { print($0) } }
  ///
  /// - Parameters:
  ///   - maximumFaultCount: The number of faults, at least 1, that ends the check.
  ///   - progress: Gets the finished part, from 0 to 1, from time to time; false ends the check.
  /// - Returns: The faults and figures.
  /// - Throws: `ObjectBoxError`: `closed`, `maxReadersExceeded`, or `storageGeneral` when the file
  ///   cannot be read or memory is short. Damage is reported, not thrown.
  /// - Complexity: O(n log n) for each index: about a second for a million objects with two
  ///   indexes. It takes one bit of memory for each page, and the memory of each nearest-neighbour
  ///   graph.
  public func verify(
    maximumFaultCount: Int = 100,
    progress: @escaping (Double) -> Bool = { _ in true }
  ) throws -> VerificationReport {
    let run = VerificationRun(
      maximumFaultCount: maximumFaultCount,
      quoting: file.quoting,
      progress: progress
    )
    return try PageSnapshot.withNewest(of: transactions, for: .check) { try run.report(on: $0, $1) }
  }

  /// Checks a store file without opening the store, and without a model: the file contains its
  /// schema.
  ///
  /// The file may be damaged in any way, and is not changed. If it can be opened, the checked
  /// version is pinned while other processes write. A damaged file that is written to during the
  /// check may show faults that it does not have.
  ///
  ///     let report = try Store.verify(directory: "notes")
  ///     print(report.isSound, report.recordCount)
  ///
  /// - Parameters:
  ///   - directory: The directory of the store, with or without `data.mdb`.
  ///   - maximumFaultCount: The number of faults, at least 1, that ends the check.
  ///   - progress: Gets the finished part, from 0 to 1, from time to time; false ends the check.
  /// - Returns: As ``verify(maximumFaultCount:progress:)``.
  /// - Throws: `ObjectBoxError.storageGeneral(message:)` when the file does not exist or cannot be
  ///   read, or memory is short.
  public static func verify(
    directory: String,
    maximumFaultCount: Int = 100,
    progress: @escaping (Double) -> Bool = { _ in true }
  ) throws -> VerificationReport {
    let run = VerificationRun(
      maximumFaultCount: maximumFaultCount,
      quoting: .shown,
      progress: progress
    )
    return try PageSnapshot.withNewest(in: directory, for: .check) { image, head in
      if let head { return try run.report(on: image, head) }
      return try run.report(onHeadless: image)
    }
  }

  /// Checks the files of a store, which may be encrypted, without opening the store; see
  /// ``verify(directory:maximumFaultCount:progress:)``.
  ///
  /// Pages of an encrypted store that the key does not open are faults, and so is damage in the log,
  /// where the version before it is checked. If this process has the store open, its newest version
  /// is checked in memory.
  ///
  /// ```text
  /// var source = Store.Configuration(directory: "notes")
  /// source.encryption = .passphrase("correct horse battery staple")  // import ObjectBoxEncryption
  /// let report = try Store.verify(source)
  /// ```
  ///
  /// - Parameters:
  ///   - source: The directory of the store and its encryption. Other options are not used.
  ///   - maximumFaultCount: The number of faults, at least 1, that ends the check.
  ///   - progress: Gets the finished part, from 0 to 1, from time to time; false ends the check.
  /// - Returns: As ``verify(maximumFaultCount:progress:)``.
  /// - Throws: As ``verify(directory:maximumFaultCount:progress:)``; for an encrypted store also
  ///   `fileCorrupt` when a part of its head is damaged in both copies or its pages file is missing,
  ///   `illegalState` when another process has it open, `dbFull` when memory cannot hold it, and
  ///   `EncryptionError.wrongKey`.
  public static func verify(
    _ source: Store.Configuration,
    maximumFaultCount: Int = 100,
    progress: @escaping (Double) -> Bool = { _ in true }
  ) throws -> VerificationReport {
    guard source.medium != nil else {
      return try verify(
        directory: source.directory,
        maximumFaultCount: maximumFaultCount,
        progress: progress
      )
    }
    return try withReadable(source) { copy in
      try VerificationRun(
        maximumFaultCount: maximumFaultCount,
        quoting: copy.quoting,
        progress: progress
      ).report(on: copy)
    }
  }
}
