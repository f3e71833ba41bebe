#if OBJECTBOX_SODIUM
  import Foundation
  import ObjectBox
  import ObjectBoxStorage

  @testable import ObjectBoxEncryption

  extension StoreOpening {
    /// A store that may be made in a directory.
    static func test(_ path: String) -> StoreOpening {
      StoreOpening(
        path: path,
        location: path,
        isReadOnly: false,
        isCreating: true,
        fileMode: 0o600
      )
    }
  }

  /// A table of objects in an environment with a sealed image.
  final class MirroredTable {
    let environment: StorageEnvironment
    private let image: SealedImage

    init(_ image: SealedImage) throws {
      self.image = image
      var options = StorageEnvironment.Options(mapSizeInBytes: 1 << 30, maximumTableCount: 8)
      options.isDurable = false
      environment = try StorageEnvironment(
        directory: image.memory.folder,
        options: options,
        mirror: image
      )
    }

    func close() {
      environment.close()
      image.close()
    }

    private func table(_ transaction: StorageTransaction) throws -> StorageTable {
      guard let table = try transaction.openTable("e1", .objects, create: true) else {
        throw StorageError(code: ENOENT, call: "openTable")
      }
      return table
    }

    /// Puts objects with the IDs after a number, in one transaction.
    func put(_ count: Int, from first: Int, size: Int = 500) throws {
      let writing = try environment.beginWrite()
      let table = try table(writing)
      for id in first..<(first + count) {
        let record = [UInt8](repeating: UInt8(truncatingIfNeeded: id), count: size)
        try record.withUnsafeBytes { try writing.put(table, id: UInt64(id + 1), record: $0) }
      }
      try writing.commit()
    }

    /// Removes the objects with the lowest IDs.
    func remove(_ count: Int) throws {
      let writing = try environment.beginWrite()
      let table = try table(writing)
      for id in 0..<count { _ = try writing.delete(table, id: UInt64(id + 1)) }
      try writing.commit()
    }

    func count() throws -> Int {
      let reading = try environment.beginRead()
      defer { reading.abort() }
      guard let table = try reading.openTable("e1", .objects, create: false) else { return 0 }
      return try reading.count(table)
    }
  }
#endif
