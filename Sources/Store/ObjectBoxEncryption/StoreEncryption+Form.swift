internal import Foundation
internal import ObjectBox
internal import ObjectBoxStorage

extension StoreEncryption {
  /// The kinds of keys.
  package enum Form: Sendable {
    case key, passphrase
  }

  /// Returns the kind of the key that opens a store, without opening it.
  ///
  /// The answer is not authenticated: it only says which kind of key to ask for.
  ///
  /// - Parameter directory: The directory of an encrypted store.
  /// - Returns: The kind.
  /// - Throws: ``ObjectBoxError``: `featureNotAvailable` in programs that were built without
  ///   encryption, `fileCorrupt` when both copies of the head are damaged or of an unknown format,
  ///   `storageGeneral` when the file of the head cannot be read.
  package static func form(ofStoreAt directory: String) throws -> Form {
    #if os(Linux) && OBJECTBOX_SODIUM
      let file = try StoreError.translating(directory) {
        try ImageFiles.read(directory + "/" + ImageFiles.head)
      }
      guard let form = (try? SealedHead.find(file))?.wrapped.form else {
        throw ObjectBoxError.fileCorrupt(
          message:
            "the encrypted store at '\(directory)' has no head that this version of the library can read; restore it "
            + "from a backup, or use the version that wrote it"
        )
      }
      return form
    #else
      throw unavailable(directory)
    #endif
  }

  /// Makes a key of a passphrase in UTF-8, with the default cost; see ``passphrase(_:cost:)``.
  package static func passphrase(utf8: [UInt8]) -> StoreEncryption {
    if let text = String(validating: utf8, as: UTF8.self) {
      return StoreEncryption(text, PassphraseCost())
    }
    return StoreEncryption(kind: .passphrase(PassphraseCost()), secret: Secret(copying: utf8))
  }
}
