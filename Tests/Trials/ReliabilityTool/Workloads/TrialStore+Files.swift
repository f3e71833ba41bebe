import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxEncryption

/// The files of the stores of trials, which are plain or encrypted.
extension TrialStore {
  /// The variable by which child processes know that the stores are encrypted.
  static let encryptionVariable = "RELIABILITY_ENCRYPTED"

  static let isEncrypted = ProcessInfo.processInfo.environment[encryptionVariable] == "1"

  /// The blocks of the log of encrypted stores: few, so a head follows each few commits.
  static let logBlocks = 24

  /// The key of encrypted stores.
  static let key: StoreEncryption = {
    var key = StoreEncryption.key((0..<StoreEncryption.keySize).map { UInt8($0) })
    key.newLogBlocks = logBlocks
    return key
  }()

  /// The file without which there is no store.
  static let mainFile = isEncrypted ? "sealed.head" : "data.mdb"

  static func configuration(_ directory: String) -> Store.Configuration {
    var configuration = Store.Configuration(directory: directory)
    configuration.maxDbSizeInKByte = 1_000_000
    if isEncrypted { configuration.encryption = key }
    return configuration
  }

  /// Returns the first fault of a closed store.
  static func fault(_ directory: String) throws -> String? {
    guard isEncrypted else { return try Store.verify(directory: directory).faults.first?.message }
    var configuration = configuration(directory)
    configuration.readOnly = true
    let store = try Store(existing: configuration)
    defer { store.close() }
    return try store.verify().faults.first?.message
  }

  /// Copies the files of a closed store into a folder that exists.
  static func copyFiles(from source: String, to target: String) throws {
    let manager = FileManager.default
    for name in try manager.contentsOfDirectory(atPath: source) where !name.hasSuffix("lock.mdb") {
      try manager.copyItem(atPath: source + "/" + name, toPath: target + "/" + name)
    }
  }
}
