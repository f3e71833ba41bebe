#if OBJECTBOX_SODIUM
  internal import CObjectBoxPages
  internal import Foundation
  internal import ObjectBox
  internal import ObjectBoxStorage

  extension ImageOpening {
    /// Writes a version of any store as a new image, with a data key of its own.
    ///
    /// Memory holds only the numbers and seals of its pages. The caller pins the version.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - progress: Gets the written part, from 0 to 1; false ends the work.
    /// - Returns: False when `progress` ended it; nothing is left behind then.
    /// - Throws: ``ObjectBoxError``; nothing is left behind then.
    func write(_ version: PageVersion, _ progress: (Double) -> Bool) throws -> Bool {
      try encryption.check(location: store.location)
      return try StoreError.translating(store.location) {
        let files = try lockedFiles(isReadOnly: false)
        defer { files.close() }
        guard !files.exists(ImageFiles.head) else {
          throw ObjectBoxError.illegalArgument(
            message:
              "cannot write a store to '\(store.location)': there is an encrypted store already; use another directory"
          )
        }
        try checkIsNew(files)
        do {
          if try write(version, to: files, progress) { return true }
        } catch {
          files.removeAll()
          throw error
        }
        files.removeAll()
        return false
      }
    }

    private func write(
      _ version: PageVersion,
      to files: ImageFiles,
      _ progress: (Double) -> Bool
    ) throws -> Bool {
      let pageSize = Int(version.head.page_size)
      guard Self.isPageSize(pageSize) else {
        throw ObjectBoxError.illegalState(
          message:
            "cannot encrypt the store for '\(store.location)': its pages have \(pageSize) bytes, and those of encrypted "
            + "stores 4096 to 32768; dump it, and load the dump into a new encrypted store"
        )
      }
      let writing = try beginWriting(pageSize: pageSize, to: files)
      guard let written = try writing.write(version, progress) else { return false }
      _ = try writing.writeHead(written)
      try files.replaceHead()
      return true
    }
  }
#endif
