internal import ObjectBoxStorage

/// Converts errors of the storage layer to errors for users.
package enum StoreError {
  /// The error in ObjectBox's words.
  static let tooManyReaders = ObjectBoxError.maxReadersExceeded(
    message: "Could not begin read transaction (maximum of read transactions reached)"
  )

  /// The error of a snapshot or live view that would leave too few reader slots for threads.
  static func tooManyPins(_ count: Int, location: String) -> ObjectBoxError {
    .maxReadersExceeded(
      message:
        "cannot hold another version of the store at '\(location)': snapshots and live views hold \(count) "
        + "already, and the other reader slots are kept for reads of threads; let some go, or call "
        + "invalidate() on them"
    )
  }

  static let writeInsideRead = ObjectBoxError.cannotWriteWhileReading(
    message: "Cannot start a write transaction inside a read only transaction"
  )

  /// The error of a closed store.
  ///
  /// - Parameters:
  ///   - location: The store's directory.
  ///   - make: Selects the error: functions of ObjectBox's API throw `illegalState`, all others
  ///     `closed`.
  /// - Returns: The error.
  static func closed(
    _ location: String,
    as make: (String) -> ObjectBoxError = ObjectBoxError.closed(message:)
  ) -> ObjectBoxError {
    make("the store at '\(location)' is closed; open it again")
  }

  package static func readOnly(_ location: String) -> ObjectBoxError {
    .illegalState(
      message:
        "cannot write to the store at '\(location)': it was opened with readOnly: true; open it "
        + "without that"
    )
  }

  /// The error of a compaction while another process has the store open.
  static func cannotCompact(_ location: String, openIn holder: LockFile.Holder?) -> ObjectBoxError {
    .illegalState(
      message:
        "cannot compact the store at '\(location)': \(text(of: holder)) has it open; close it there first, or end "
        + "that process"
    )
  }

  /// The words for a process; for nil, the words for an unknown process.
  static func text(of holder: LockFile.Holder?) -> String {
    holder?.process.map { "process \($0)" } ?? "another process"
  }

  /// Makes an error with the location and advice.
  ///
  /// `room` returns the use of the file. It is called only for a full store or disk, and for
  /// input/output errors.
  static func make(
    _ error: StorageError,
    location: String,
    room: (() -> StoreRoom)? = nil
  ) -> ObjectBoxError {
    let cause = "(\(error.code): \(error.explanation))"
    if let reason = error.reason { return refused(error, location: location, reason) }
    if error.isMapFull || error.isDiskFull || error.isInputOutputError {
      var room = room?() ?? StoreRoom(location: location)
      if room.disk == nil { room.disk = StorageEnvironment.availableDiskBytes(at: location) }
      if error.isLimitReached {
        return room.limitReached(isRemoval: error.isRemovalLimitReached)
      }
      if error.isMapFull { return room.mapIsFull(cause: cause) }
      // LMDB reports a partial write as an input/output error.
      if error.isDiskFull || room.isDiskFull { return room.diskIsFull(cause: cause) }
    }
    if error.isMissingFile {
      return missing(location, cause: cause)
    }
    if error.isPermissionDenied {
      return .storageGeneral(
        message:
          "cannot open the files of the store at '\(location)' \(cause); give the user of this "
          + "process the right to read and write the folder with data.mdb and lock.mdb, or use a folder "
          + "of its own"
      )
    }
    if error.isMapOutgrown {
      return .storageGeneral(
        message:
          "another process has made the file of the store at '\(location)' larger than the addresses that "
          + "this one has for it \(cause); let go of snapshots and other transactions, so that it can take "
          + "more, or give the process more addresses (ulimit -v)"
      )
    }
    if error.hasSeveralNames {
      return .illegalState(
        message:
          "cannot compact the store at '\(location)': its file has other names (hard links), under which the "
          + "former one would stay; remove those"
      )
    }
    if error.isLostFile {
      return .illegalState(
        message:
          "the file of the store at '\(location)' was replaced by another one, which this process does not have open; "
          + "close the store and open it again"
      )
    }
    if error.isHeadUnwritten {
      return .storeMustShutdown(
        message:
          "the disk refused the last step of a commit to the store at '\(location)' \(cause) in \(error.call): "
          + "it is not known whether that commit lasts; close the store and open it again, which tells"
      )
    }
    if error.isReadersFull { return tooManyReaders }
    if let fault = error.fault { return damaged(location, fault) }
    if error.isCorrupt {
      return .fileCorrupt(
        message: "the file of the store at '\(location)' is damaged or no database \(cause); "
          + ObjectBoxError.damageAdvice
      )
    }
    if error.isWithoutLocks {
      return .storageGeneral(
        message:
          "cannot tell whether another process uses the store at '\(location)': the file system refuses "
          + "locks \(cause); move the store to a local disk, or open it with readOnly: true"
      )
    }
    let advice =
      error.isReadOnlyDisk
      ? "; open it with readOnly: true"
      : error.isInputOutputError
        ? "; the disk is full or failing, and the store is as it was before" : ""
    return .storageGeneral(
      message: "\(error.call) on the store at '\(location)' was refused \(cause)\(advice)"
    )
  }

  /// Returns the error of a commit that a mirror refused.
  private static func refused(
    _ error: StorageError,
    location: String,
    _ reason: String
  ) -> ObjectBoxError {
    let message = "cannot write to the store at '\(location)': \(reason)"
    return error.isHeadUnwritten
      ? .storeMustShutdown(message: message)
      : error.isDiskFull ? .dbFull(message: message) : .storageGeneral(message: message)
  }

  /// Returns the error of a store file with a fault that a check found.
  static func damaged(_ location: String, _ fault: String) -> ObjectBoxError {
    .fileCorrupt(
      message:
        "the file of the store at '\(location)' is damaged: \(fault); restore it from a backup"
    )
  }

  /// Returns the error of a missing store that was opened for reading only.
  static func missing(_ location: String, cause: String) -> ObjectBoxError {
    .storageGeneral(
      message:
        "there is no store at '\(location)' \(cause); a store that is opened with readOnly: true "
        + "must exist, so open it once without readOnly, or correct the path"
    )
  }

  /// Converts an error of the storage layer; other errors stay as they are.
  static func shown(
    _ error: any Error,
    location: String,
    room: (() -> StoreRoom)? = nil
  ) -> any Error {
    // Fast path: refusals are frequent, and comparing types is faster than a failed cast.
    if type(of: error) == ObjectBoxError.self { return error }
    guard let error = error as? StorageError else { return error }
    return make(error, location: location, room: room)
  }

  /// Adds the failed work to the message of a storage error; other errors stay as they are.
  ///
  /// - Parameters:
  ///   - work: The work, such as "put 'Person' with ID 7".
  ///   - error: The error of the work.
  /// - Returns: The error that users see.
  static func naming(_ work: String, _ error: any Error) -> any Error {
    switch error {
    case ObjectBoxError.dbFull(let message):
      ObjectBoxError.dbFull(message: "cannot \(work): \(message)")
    case ObjectBoxError.storageGeneral(let message):
      ObjectBoxError.storageGeneral(message: "cannot \(work): \(message)")
    default: error
    }
  }

  /// Runs a body and converts its storage errors to ``ObjectBoxError``; others pass unchanged.
  package static func translating<T>(
    _ location: String,
    room: (() -> StoreRoom)? = nil,
    _ body: () throws -> T
  ) throws -> T {
    do {
      return try body()
    } catch let error as StorageError {
      throw make(error, location: location, room: room)
    }
  }
}
