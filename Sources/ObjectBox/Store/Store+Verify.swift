internal import Foundation
internal import ObjectBoxStorage

extension Store {
  /// Checks the newest version of the whole store, while it stays in use.
  ///
  /// It checks the structure of the file (each page's form and order, that each is used once, the list of free
  /// pages), then what it holds: the schema's digest, records against the schema and their checksums, index entries against records both ways, unique
  /// values, relations from both ends, ID sequences, the graphs of nearest-neighbour indexes. It reads the file
  /// by itself, so that nothing of what the store has in memory hides a fault. Files that earlier versions made
  /// have no checksums: in them a changed byte in a plain value leaves all sound, and is not a fault that it can see.
  ///
  /// The version stays in the file until the check ends (see ``activeVersions``); later commits go on.
  ///
  /// - Parameters:
  ///   - maximumFaultCount: The number of faults, at least 1, after which the check ends.
  ///   - progress: Is passed the part that is done, from 0 to 1, now and then; false ends the check.
  /// - Returns: The faults and figures.
  /// - Throws: ``ObjectBoxError``: `closed`, `maxReadersExceeded`, or `storageGeneral` when the file cannot be
  ///   read or there is no memory. Damage is not thrown, but reported.
  /// - Complexity: O(n log n) for each index: about a second for a million objects with two indexes. It takes a
  ///   bit of memory for each page, and that of each whole nearest-neighbour graph.
  public func verify(
    maximumFaultCount: Int = 100,
    progress: @escaping (Double) -> Bool = { _ in true }
  ) throws -> VerificationReport {
    let run = VerificationRun(maximumFaultCount: maximumFaultCount, progress: progress)
    while true {
      let pin = try transactions.pin(PinnedVersion.Holder(kind: .check))
      defer { transactions.unpin(pin) }
      let report: VerificationReport? = try file.translating {
        let image = try file.environment.image()
        let version = UInt64(pin.snapshotID)
        // The next but one commit overwrites the head page.
        guard let head = image.heads().compactMap(\.head).first(where: { $0.version == version })
        else { return nil }
        return try run.report(on: image, head)
      }
      if let report { return report }
    }
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
  /// - Throws: ``ObjectBoxError/storageGeneral(message:)`` when there is no such file, it cannot be read, or there
  ///   is no memory.
  public static func verify(
    directory: String,
    maximumFaultCount: Int = 100,
    progress: @escaping (Double) -> Bool = { _ in true }
  ) throws -> VerificationReport {
    let dataFile = StorageEnvironment.fileNames[0]
    let isFile = directory.hasSuffix("/" + dataFile) || directory == dataFile
    let location = isFile ? String(directory.dropLast(dataFile.count)) : directory
    if let open = try? attachTo(directory: location) {
      defer { open.close() }
      return try open.verify(maximumFaultCount: maximumFaultCount, progress: progress)
    }
    let run = VerificationRun(maximumFaultCount: maximumFaultCount, progress: progress)
    return try StoreError.translating(location) {
      let image = try StorageImage(path: location + "/" + dataFile)
      guard let head = image.newestHead() else { return try run.report(onHeadless: image) }
      // Where the head is sound LMDB opens the file, and keeps the version.
      guard try image.firstFinding(head, .quick) == nil, let environment = try? reader(of: location)
      else { return try run.report(on: image, head) }
      defer { environment.close() }
      while true {
        let pin = try environment.beginRead()
        defer { pin.abort() }
        let image = try environment.image()
        let version = UInt64(pin.snapshotID)
        if let head = image.heads().compactMap(\.head).first(where: { $0.version == version }) {
          return try run.report(on: image, head)
        }
      }
    }
  }

  private static func reader(of location: String) throws -> StorageEnvironment {
    var options = StorageEnvironment.Options(mapSizeInBytes: 1 << 20, maximumTableCount: 1)
    options.isReadOnly = true
    return try StorageEnvironment(directory: location, options: options)
  }
}

extension VerificationRun {
  /// Runs the whole check of a version.
  fileprivate func report(
    on image: StorageImage,
    _ head: StorageImage.Head
  ) throws -> VerificationReport {
    do {
      try StoreVerification(image: image, head: head, run: self).verify()
    } catch is Ended {
      return end(isComplete: false)
    }
    return end(isComplete: true)
  }

  /// Reports a file without a head page.
  fileprivate func report(onHeadless image: StorageImage) throws -> VerificationReport {
    setFile(version: 0, sizeInBytes: image.sizeInBytes)
    try StoreVerification.verifyHeads(of: image, run: self)
    return end(isComplete: false)
  }
}
