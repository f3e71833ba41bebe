public import ObjectBox
internal import ObjectBoxStorage

extension Store.Configuration {
  /// The key of an encrypted store; nil for a store that is not encrypted.
  ///
  /// A store without files is made encrypted, with a data key of its own that this key wraps. An
  /// existing store must have been made the same way: opening throws
  /// ``EncryptionError/wrongKey(message:)`` for another key, and `ObjectBoxError.illegalState` for
  /// a store that is not encrypted.
  ///
  /// An encrypted store is in the memory of its process as a whole, so it cannot be larger, and
  /// `isSharedWithOtherProcesses` must be false. Encryption needs
  /// Linux and libsodium; elsewhere opening throws `ObjectBoxError.featureNotAvailable`.
  public var encryption: StoreEncryption? {
    get { (medium as? EncryptedMedium)?.encryption }
    set { medium = newValue.map(EncryptedMedium.init) }
  }
}

extension Store {
  /// True when the store is encrypted.
  public var isEncrypted: Bool { transactions.mirror != nil }

  /// Makes another key open the store; the former key opens it no more.
  ///
  /// Objects are not encrypted again: the key opens a data key, which stays. So this takes as long as opening
  /// the store with the new key, whatever its size, and writes wait meanwhile. The former key and an earlier
  /// copy of the files still reveal what the store held then. The new key is in the head when this returns.
  ///
  /// Instances that are opened later with `sharesOpenStore` must still have the key that the open
  /// store was opened with, until it is closed.
  ///
  /// - Parameter encryption: The new key. Its `minimumVersion` and `showsValuesInErrors` are not used.
  /// - Throws: `ObjectBoxError`: `illegalState` for a store that is not encrypted or is read-only, and inside a write
  ///   transaction,
  ///   `illegalArgument` for a key that no store can have, `closed`, `dbFull` when the disk has no
  ///   room for the head; the former key is still the right one then. `storeMustShutdown` when the
  ///   disk refused the last step, so that one of both keys is right.
  /// - Complexity: O(size of the file / 4096), besides the cost of a passphrase.
  public func changeEncryption(to encryption: StoreEncryption) throws {
    try checkOpen()
    if file.isReadOnly { throw StoreError.readOnly(file.location) }
    #if OBJECTBOX_SODIUM
      if let image = transactions.mirror as? SealedImage {
        if transactions.openTransaction?.isWritable ?? false {
          throw ObjectBoxError.illegalState(
            message:
              "cannot change the key of the store at '\(file.location)' inside a write transaction; call "
              + "changeEncryption(to:) before or after it"
          )
        }
        try encryption.check(location: file.location)
        let opening = ImageOpening(
          store: directory.opening(openStore.configuration),
          encryption: encryption
        )
        return try transactions.withoutWriters {
          try file.translating { try opening.translating { try image.rewrap(for: encryption) } }
        }
      }
    #endif
    throw ObjectBoxError.illegalState(
      message:
        "cannot change the key of the store at '\(file.location)': it is not encrypted; open it with "
        + "configuration.encryption"
    )
  }
}

/// Opens the files of a store with a key.
struct EncryptedMedium: StoreMedium {
  let encryption: StoreEncryption

  func isSame(as other: any StoreMedium) -> Bool {
    (other as? EncryptedMedium)?.encryption == encryption
  }

  func open(_ opening: StoreOpening) throws -> (folder: String, mirror: any StorageMirror) {
    #if os(Linux) && OBJECTBOX_SODIUM
      let image = try ImageOpening(store: opening, encryption: encryption).run()
      return (image.memory.folder, image)
    #else
      throw StoreEncryption.unavailable(opening.location)
    #endif
  }

  func removing(_ opening: StoreOpening, _ body: (_ last: String) throws -> Void) throws {
    #if os(Linux) && OBJECTBOX_SODIUM
      let files = try StoreError.translating(opening.location) {
        try ImageFiles(path: opening.path, fileMode: opening.fileMode, isReadOnly: false)
      }
      guard let files else {
        throw ObjectBoxError.illegalState(
          message:
            "cannot remove the store at '\(opening.location)': another process has it open; close it there first"
        )
      }
      defer { files.close() }
      try body(ImageFiles.lock)
    #else
      throw StoreEncryption.unavailable(opening.location)
    #endif
  }

  func write(_ version: PageVersion, to opening: StoreOpening, _ progress: (Double) -> Bool) throws
    -> Bool
  {
    #if os(Linux) && OBJECTBOX_SODIUM
      return try ImageOpening(store: opening, encryption: encryption).write(version, progress)
    #else
      throw StoreEncryption.unavailable(opening.location)
    #endif
  }

  func withReadable<T>(
    _ opening: StoreOpening,
    _ body: (ReadableCopy) throws -> T
  ) throws -> T {
    #if os(Linux) && OBJECTBOX_SODIUM
      return try ImageOpening(store: opening, encryption: encryption).withReadable(body)
    #else
      throw StoreEncryption.unavailable(opening.location)
    #endif
  }
}

extension StoreEncryption {
  #if !os(Linux)
    private static let lack =
      "encryption needs Linux; use the encryption of the file system, such as FileVault"
  #else
    private static let lack =
      "the program was built without libsodium; install libsodium-dev and build it again"
  #endif

  /// Makes the error of programs that were built without encryption.
  static func unavailable(_ location: String) -> ObjectBoxError {
    .featureNotAvailable(message: "cannot open the encrypted store at '\(location)': \(lack)")
  }
}
