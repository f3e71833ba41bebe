internal import Foundation
internal import ObjectBox

/// A copy of a store's file in a folder of its own.
struct StoreCopy: Sendable {
  private static let fileName = "data.mdb"

  private let folder: URL
  private let size: UInt64

  init(of fixture: String) throws {
    let files = FileManager.default
    var source = URL(fileURLWithPath: fixture)
    if source.lastPathComponent != Self.fileName { source.appendPathComponent(Self.fileName) }
    folder = files.temporaryDirectory.appendingPathComponent("objectbox-test-\(UUID().uuidString)")
    do {
      let attributes = try files.attributesOfItem(atPath: source.path)
      size = (attributes[.size] as? NSNumber)?.uint64Value ?? 0
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch { throw Self.failure(source, error) }
    do {
      try files.copyItem(at: source, to: folder.appendingPathComponent(Self.fileName))
    } catch {
      remove()
      throw Self.failure(source, error)
    }
  }

  private static func failure(_ source: URL, _ error: any Error) -> ObjectBoxError {
    .storageGeneral(
      message:
        "cannot copy the store at '\(source.path)' for a test: \(error.localizedDescription); "
        + "give the directory of a closed store"
    )
  }

  /// Options with the copy's directory, and room for an upgrade that writes every object again.
  var configuration: Store.Configuration {
    var configuration = Store.Configuration(directory: folder.path)
    configuration.maxDbSizeInKByte = max(configuration.maxDbSizeInKByte, size / 1024 * 4)
    return configuration
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}
