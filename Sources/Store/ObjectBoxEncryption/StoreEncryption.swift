internal import Foundation
internal import ObjectBox

/// The key of an encrypted store, for `Store.Configuration.encryption`.
///
///     var configuration = Store.Configuration(directory: "notes")
///     configuration.encryption = .passphrase("correct horse battery staple")
///     let store = try Store(configuration: configuration)
///
/// The key is kept in memory that is locked and zeroed at the end. The array or text that it was
/// made from is not: the program should not keep it longer than needed.
public struct StoreEncryption: Hashable, Sendable {
  /// The number of bytes of a key.
  public static let keySize = 32

  enum Kind: Hashable {
    case key
    case passphrase(PassphraseCost)
  }

  let kind: Kind
  /// The key, or the passphrase in the normal form C of Unicode: texts which look and compare the same
  /// open a store.
  let secret: Secret

  /// The number of the oldest commit that the program accepts; 0 for any.
  ///
  /// A folder that was put back to an earlier state as a whole opens like any other. A program
  /// that keeps the number of a commit in another place notices it by this number. Opening an
  /// older store throws ``EncryptionError/outdated(message:)``.
  public var minimumVersion: UInt64 = 0

  /// True if messages of errors may quote stored values, as in plain stores.
  ///
  /// Programs log errors, and logs are seldom encrypted. So the messages of an encrypted store name the entity, the
  /// property and the ID of the object, and no value. Set it where errors are only shown to a person who may see the
  /// store's content.
  public var showsValuesInErrors = false

  /// The number of blocks of the log of a new store, 4 MiB together; at least 2.
  ///
  /// Trials make it small, so that heads change often.
  package var newLogBlocks = 1024

  /// Makes a key of 32 bytes, which must be random, such as the output of `openssl rand 32`.
  ///
  /// - Parameter bytes: The key. Another number of bytes than 32 makes opening a store throw
  ///   `ObjectBoxError.illegalArgument`.
  /// - Returns: The key.
  public static func key(_ bytes: [UInt8]) -> StoreEncryption {
    StoreEncryption(kind: .key, secret: Secret(copying: bytes))
  }

  /// Makes a key of a passphrase, by argon2id.
  ///
  /// Opening a store with a passphrase takes the time and memory of the cost that the store was
  /// made with, by default a fifth of a second and 64 MiB.
  ///
  /// - Parameters:
  ///   - text: The passphrase. Texts that Swift calls equal, such as `é` in one or in two code points, open the same
  ///     store. An empty one makes opening a store throw
  ///     `ObjectBoxError.illegalArgument`.
  ///   - cost: The cost of each guess, for a new store and for `Store.changeEncryption(to:)`.
  ///     An existing store keeps its cost.
  /// - Returns: The key.
  public static func passphrase(
    _ text: String,
    cost: PassphraseCost = PassphraseCost()
  ) -> StoreEncryption {
    StoreEncryption(text, cost)
  }

  init(_ text: String, _ cost: PassphraseCost) {
    let composed = Array(text.precomposedStringWithCanonicalMapping.utf8)
    self.init(kind: .passphrase(cost), secret: Secret(copying: composed))
  }

  init(kind: Kind, secret: Secret) {
    self.kind = kind
    self.secret = secret
  }
}

/// The cost of deriving a key from a passphrase, which is also the cost of each guess.
public struct PassphraseCost: Hashable, Sendable {
  /// The number of passes over the memory, from 1 to 64.
  ///
  /// Argon2id's authors recommend at least 2 passes over 64 MiB when a user waits. Lower costs are for tests:
  /// they make the passphrase of a stolen store easier to guess.
  public var passes: Int
  /// The memory in bytes, from 8 KiB to 4 GiB; below 64 MiB only for tests, see ``passes``.
  public var memoryInBytes: Int

  static let passesRange = 1...64
  static let memoryRange = 8192...(4 << 30)

  /// Makes a cost; the default takes about a fifth of a second.
  ///
  /// - Parameters:
  ///   - passes: The number of passes over the memory, from 1 to 64.
  ///   - memoryInBytes: The memory in bytes, from 8 KiB to 4 GiB.
  public init(passes: Int = 3, memoryInBytes: Int = 64 << 20) {
    self.passes = passes
    self.memoryInBytes = memoryInBytes
  }
}

extension StoreEncryption: CustomStringConvertible, CustomReflectable {
  /// The kind of the key, without the key.
  public var description: String {
    switch kind {
    case .key: "StoreEncryption.key"
    case .passphrase: "StoreEncryption.passphrase"
    }
  }

  /// A mirror without the key.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension StoreEncryption {
  /// Throws `illegalArgument` for a key that no store can have.
  func check(location: String) throws {
    func refuse(_ message: String) -> ObjectBoxError {
      .illegalArgument(message: "cannot use the key for the store at '\(location)': \(message)")
    }
    switch kind {
    case .key:
      guard secret.count == Self.keySize else {
        throw refuse("it has \(secret.count) bytes; use \(Self.keySize) random bytes")
      }
    case .passphrase(let cost):
      guard secret.count > 0 else { throw refuse("the passphrase is empty; use a long one") }
      guard PassphraseCost.passesRange.contains(cost.passes) else {
        throw refuse("passes: \(cost.passes) is not from 1 to 64")
      }
      guard PassphraseCost.memoryRange.contains(cost.memoryInBytes) else {
        throw refuse("memoryInBytes: \(cost.memoryInBytes) is not from 8192 to 4294967296")
      }
    }
    if !secret.isLocked {
      throw ObjectBoxError.illegalState(
        message:
          "cannot open the encrypted store at '\(location)': the memory of its key cannot be locked; raise "
          + "the limit of locked memory (ulimit -l) by 64 KiB for each encrypted store"
      )
    }
  }
}
