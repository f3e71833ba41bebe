import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxDynamic
import ObjectBoxEncryption

extension FuzzTarget {
  #if OBJECTBOX_SODIUM
    /// The targets that need libsodium.
    static let encryption = [head, log]

    /// The head of an encrypted store: as a whole, its begin with a hash that fits, or its body,
    /// sealed with the store's key.
    private static let head = FuzzTarget("head") {
      let fixture = try SealedFixture.shared.get()
      return [
        "whole": [0] + fixture.head,
        "begin": [1] + fixture.head.prefix(144),
        "empty": [2] + fixture.body,
        "newest": [3] + fixture.newestBody,
      ]
    } body: { input, scratch in
      let fixture = try SealedFixture.shared.get()
      let bytes = Array(input.all.dropFirst())
      let (head, pages) =
        switch (input.all.first ?? 0) % 4 {
        case 0: (bytes, fixture.pages)
        case 1: (fixture.head(begin: bytes), fixture.pages)
        case 2: (fixture.head(body: bytes), fixture.pages)
        default: (fixture.head(body: bytes), fixture.pages(log: []))
        }
      try use(fixture, head, pages, scratch)
    }

    /// The log of an encrypted store: each part of the input is a record, sealed with the store's
    /// key, a mark, or blocks as they are.
    private static let log = FuzzTarget("log") {
      let records = try SealedFixture.shared.get().records
      func part(_ record: SealedFixture.Record) -> [UInt8] {
        FuzzInput.part(record.seed + record.body, behind: 0)
      }
      return [
        "first": part(records[0]) + FuzzInput.part([], behind: 1),
        "all": records.flatMap(part) + FuzzInput.part([], behind: 1),
        "cut": records.prefix(2).flatMap(part) + FuzzInput.part([1, 2, 3], behind: 2),
        "later": part(records[0]) + FuzzInput.part([3], behind: 3) + part(records[1]),
      ]
    } body: { input, scratch in
      var input = input
      let fixture = try SealedFixture.shared.get()
      var (log, chain, version): ([UInt8], [UInt8], UInt64) = ([], fixture.chain, 0)
      while !input.isAtEnd, log.count <= fixture.logBlocks * SealedFixture.block {
        let kind = input.byte() % 4
        let part = input.part()
        switch kind {
        case 0:
          version &+= 1
          let seed = part.prefix(16) + [UInt8](repeating: 0, count: max(0, 16 - part.count))
          let record = SealedFixture.Record(
            version: version,
            seed: Array(seed),
            body: Array(part.dropFirst(16))
          )
          let next = fixture.sealed(record, after: chain)
          log += next.blocks
          chain = next.chain
        case 1: log += fixture.mark(version, chain: chain)
        case 2:
          log += part
          let rest = log.count % SealedFixture.block
          if rest > 0 { log += [UInt8](repeating: 0, count: SealedFixture.block - rest) }
        default: version &+= UInt64(part.first ?? 0)
        }
      }
      try use(fixture, fixture.head, fixture.pages(log: log), scratch)
    }

    /// Opens and salvages a store, reads everything, and writes.
    private static func use(
      _ fixture: SealedFixture,
      _ head: [UInt8],
      _ pages: [UInt8],
      _ scratch: Scratch
    ) throws {
      var configuration = Store.Configuration(directory: scratch.path + "/store")
      configuration.maxDbSizeInKByte = 20_000
      configuration.encryption = .key(fixture.programKey)
      func write() throws {
        let manager = FileManager.default
        try? manager.removeItem(atPath: configuration.directory)
        try manager.createDirectory(
          atPath: configuration.directory,
          withIntermediateDirectories: false
        )
        _ = try scratch.write(head, to: "store/sealed.head")
        _ = try scratch.write(pages, to: "store/" + fixture.pagesName)
      }
      try write()
      try attemptWithKey {
        let target = Store.Configuration(directory: scratch.path + "/saved")
        _ = try Store.salvage(configuration, to: target)
      }
      try attemptWithKey {
        let store = try Store(existing: configuration)
        defer { store.close() }
        for entity in store.schema.entities {
          try attempt {
            let box = try store.box(named: entity.name)
            for object in try box.all() {
              for property in entity.properties { _ = object[property.name] }
            }
          }
        }
        // Internal checks end the process when they find damage.
        #if !OBJECTBOX_INTERNAL_CHECKS
          for entity in store.schema.entities {
            try attempt { _ = try store.box(named: entity.name).put([:]) }
          }
          try attempt { try store.changeEncryption(to: .key(fixture.programKey)) }
        #endif
      }
    }

    private static func attemptWithKey(_ body: () throws -> Void) throws {
      do { try attempt(body) } catch let error as EncryptionError {
        precondition(!error.message.isEmpty, "an error has no text")
      }
    }
  #else
    static let encryption: [FuzzTarget] = []
  #endif
}
