internal import Foundation
package import ObjectBoxStorage

/// Keeps a store's files in a form of its own, and gives the storage layer a copy in memory.
///
/// Another module supplies it; the core knows only LMDB's form.
package protocol StoreMedium: Sendable {
  /// Returns whether another configuration's medium opens the same files in the same way.
  func isSame(as other: any StoreMedium) -> Bool

  /// Takes the files for this process, and reads them into memory; makes them if they are missing.
  ///
  /// - Parameter opening: The store.
  /// - Returns: The copy in memory: a folder of this process whose `data.mdb` leads to it, which the
  ///   opener removes, and the writer of commits to the files.
  /// - Throws: ``ObjectBoxError`` and errors of the medium. Nothing stays open then.
  func open(_ opening: StoreOpening) throws -> (folder: String, mirror: any StorageMirror)

  /// Runs a body that removes the files, which no process has open meanwhile.
  ///
  /// - Parameters:
  ///   - opening: The store.
  ///   - body: Removes the directory; gets the name of the file to remove last.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when another process has them open, and
  ///   the error of the body.
  func removing(_ opening: StoreOpening, _ body: (_ last: String) throws -> Void) throws

  /// Writes a version of any store as a new store in the medium's form, and waits for the disk;
  /// complete or not at all.
  ///
  /// - Parameters:
  ///   - version: The version, which the caller pins.
  ///   - opening: The new store, in a directory without a store.
  ///   - progress: Gets the written part, from 0 to 1; false ends the work.
  /// - Returns: False when `progress` ended it; nothing is left behind then.
  /// - Throws: ``ObjectBoxError`` and errors of the medium; nothing is left behind then.
  func write(_ version: PageVersion, to opening: StoreOpening, _ progress: (Double) -> Bool) throws
    -> Bool

  /// Passes everything that can be read of damaged files to a body.
  ///
  /// - Parameters:
  ///   - opening: The store, whose files stay as they are.
  ///   - body: Gets the readable part.
  /// - Returns: The result of the body.
  /// - Throws: ``ObjectBoxError`` and errors of the medium when nothing can be read, and the error
  ///   of the body.
  func withReadable<T>(_ opening: StoreOpening, _ body: (ReadableCopy) throws -> T) throws -> T
}

/// A store that a ``StoreMedium`` opens or removes.
package struct StoreOpening: Sendable {
  /// The directory, which exists.
  package let path: String
  /// The directory as given by the user, for messages.
  package let location: String
  package let isReadOnly: Bool
  /// Whether missing files are made.
  package let isCreating: Bool
  /// The permission bits of new files.
  package let fileMode: UInt32

  package init(
    path: String,
    location: String,
    isReadOnly: Bool,
    isCreating: Bool,
    fileMode: UInt32
  ) {
    self.path = path
    self.location = location
    self.isReadOnly = isReadOnly
    self.isCreating = isCreating
    self.fileMode = fileMode
  }
}

/// The readable part of a store's damaged files, in memory.
package struct ReadableCopy {
  /// A part of the files that cannot be read.
  package struct Fault: Sendable {
    package let message: String
    /// The page that is zero in the copy; nil for another part.
    package let page: UInt64?

    package init(message: String, page: UInt64? = nil) {
      self.message = message
      self.page = page
    }
  }

  /// The store's file in LMDB's form; unreadable pages are zero.
  package let image: StorageImage
  package let faults: [Fault]
  /// Whether messages may quote values of the store.
  package let quoting: ValueQuoting
  /// The head page of the version that is pinned; nil for files without writers.
  package let pinned: StorageImage.Head?

  package init(
    image: StorageImage,
    faults: [Fault],
    quoting: ValueQuoting,
    pinned: StorageImage.Head? = nil
  ) {
    self.image = image
    self.faults = faults
    self.quoting = quoting
    self.pinned = pinned
  }
}

/// A medium in a configuration, compared as the medium says.
struct ChosenMedium: Hashable, Sendable {
  var medium: (any StoreMedium)?

  static func == (a: Self, b: Self) -> Bool {
    guard let medium = a.medium else { return b.medium == nil }
    return b.medium.map(medium.isSame) ?? false
  }

  func hash(into hasher: inout Hasher) { hasher.combine(medium == nil) }
}

extension StoreDirectory {
  /// The name of the file by which a directory with files of a medium is recognized.
  package static let sealedHead = sealedPrefix + "head"
  /// The begin of the names of all files of a medium.
  package static let sealedPrefix = "sealed."

  private func hasFile(_ name: String) -> Bool {
    var status = stat()
    return lstat(path + "/" + name, &status) == 0
  }

  /// Whether the directory has a store in LMDB's form.
  var isPlain: Bool { hasFile(StorageEnvironment.fileNames[0]) }

  /// Whether the directory has a store whose files a medium keeps.
  var isSealed: Bool { !isPlain && hasFile(Self.sealedHead) }

  /// Throws for a store whose files a medium keeps, when it is opened without.
  func checkIsPlain() throws {
    guard isSealed else { return }
    throw ObjectBoxError.illegalState(
      message:
        "the store at '\(location)' is encrypted ('\(Self.sealedHead)' is in its directory), and was opened "
        + "without a key; set configuration.encryption of the module ObjectBoxEncryption"
    )
  }
}
