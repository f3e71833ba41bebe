public import Foundation

/// An error of opening an encrypted store that has no case in `ObjectBoxError`.
///
/// Damage throws `ObjectBoxError.fileCorrupt`, a store that another process has open
/// `illegalState`, and too little memory or room on the disk `dbFull`.
public enum EncryptionError: Error, Hashable, Sendable {
  /// The key does not open the store, and the store's head is not damaged.
  case wrongKey(message: String)
  /// The store is older than ``StoreEncryption/minimumVersion``.
  case outdated(message: String)
}

extension EncryptionError: CustomStringConvertible, LocalizedError {
  /// The text of the error.
  public var message: String {
    switch self {
    case .wrongKey(let message), .outdated(let message): message
    }
  }

  /// The name of the case and the message.
  public var description: String {
    switch self {
    case .wrongKey: "wrongKey: \(message)"
    case .outdated: "outdated: \(message)"
    }
  }

  /// The message.
  public var errorDescription: String? { message }
}
