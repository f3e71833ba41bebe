#if OBJECTBOX_SODIUM
  import CObjectBoxSodium
  import Foundation
  import ObjectBoxTestSupport

  /// A fixture of an encrypted store, opened by the document of its format alone.
  ///
  /// It seals what a fuzzer makes with the store's own keys, so that the library reads it: random
  /// bytes do not get past its first check.
  struct SealedFixture {
    static let block = 4096
    private static let tagSize = 16

    /// A record before it is sealed.
    struct Record {
      var version: UInt64
      var seed: [UInt8]
      var body: [UInt8]
    }

    let programKey: [UInt8]
    let pagesName: String
    /// The head file.
    let head: [UInt8]
    /// The pages file, whose log is empty in most of the targets' stores.
    let pages: [UInt8]
    /// The opened body of the head.
    let body: [UInt8]
    private(set) var records: [Record] = []
    private let begin: [UInt8]
    private let headKey: [UInt8]
    private let recordKey: [UInt8]

    /// The blocks of the log.
    var logBlocks: Int { Int(number(body, at: 28, size: 4)) }
    private var storeID: [UInt8] { Array(body[..<16]) }

    static let shared = Result { try SealedFixture() }

    private init() throws {
      let folder = Repository.fixtures.appendingPathComponent("EncryptedStores/key")
      func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      pagesName = names.first { $0.hasPrefix("sealed.pages-") } ?? ""
      programKey = [UInt8](0..<32)
      head = try read("sealed.head")
      pages = try read(pagesName)
      begin = Array(head[..<144])
      let sealedKey = Array(begin[72..<120])
      let nonce = Array(begin[48..<72])
      let dataKey = try Self.opened(sealedKey, nonce, with: Array(begin[..<48]), programKey)
      headKey = Self.derived(dataKey, 3)
      recordKey = Self.derived(dataKey, 2)
      let size = Int(number(begin, at: 136, size: 8))
      let piece = Array(head[Self.block..<Self.block + size + Self.tagSize])
      let seed = Array(begin[120..<136])
      body = try Self.opened(piece, seed + bytes(0, 8), with: begin, headKey)
      records = try openedRecords()
    }

    private func openedRecords() throws -> [Record] {
      var (found, place, chain): ([Record], Int, [UInt8]) = ([], Self.block, chain)
      while pages[place...].starts(with: Array("OBXCOMM1".utf8)) {
        let begin = Array(pages[place..<place + 48])
        let size = Int(number(begin, at: 32, size: 4))
        let sealed = Array(pages[place + 48..<place + 48 + size + Self.tagSize])
        let seed = Array(begin[16..<32])
        let text = try Self.opened(
          sealed,
          seed + bytes(.max, 8),
          with: begin + storeID + chain,
          recordKey
        )
        found.append(Record(version: number(begin, at: 8, size: 8), seed: seed, body: text))
        chain = Self.hash(chain + sealed.suffix(Self.tagSize), 32)
        place += (48 + sealed.count + Self.block - 1) / Self.block * Self.block
      }
      return found
    }

    // MARK: Sealing

    /// Returns a head file with another body.
    func head(body: [UInt8]) -> [UInt8] {
      var begin = begin
      begin.replaceSubrange(136..<144, with: bytes(UInt64(body.count), 8))
      var copy = begin + Self.hash(begin, 16)
      copy += [UInt8](repeating: 0, count: Self.block - copy.count)
      let seed = Array(begin[120..<136])
      for (number, place) in stride(from: 0, to: body.count, by: 65_520).enumerated() {
        let piece = Array(body[place..<min(place + 65_520, body.count)])
        copy += Self.sealed(piece, seed + bytes(UInt64(number), 8), with: begin, headKey)
      }
      copy += [UInt8](repeating: 0, count: (Self.block - copy.count % Self.block) % Self.block)
      return copy + copy
    }

    /// Returns a head file with another begin, whose hash fits.
    func head(begin: [UInt8]) -> [UInt8] {
      var file = head
      let begin = Array(begin.prefix(144))
      for start in [0, file.count / 2] {
        file.replaceSubrange(start..<start + begin.count, with: begin)
        let hash = Self.hash(Array(file[start..<start + 144]), 16)
        file.replaceSubrange(start + 144..<start + 160, with: hash)
      }
      return file
    }

    /// Returns the blocks of a record, and the chain after it.
    func sealed(_ record: Record, after chain: [UInt8]) -> (blocks: [UInt8], chain: [UInt8]) {
      var begin = Array("OBXCOMM1".utf8) + bytes(record.version, 8) + record.seed
      begin += bytes(UInt64(record.body.count), 4) + bytes(0, 4)
      begin += Self.hash(begin + storeID, 16, recordKey).prefix(8)
      let sealed = Self.sealed(
        record.body,
        record.seed + bytes(.max, 8),
        with: begin + storeID + chain,
        recordKey
      )
      var blocks = begin + sealed
      blocks += [UInt8](repeating: 0, count: (Self.block - blocks.count % Self.block) % Self.block)
      return (blocks, Self.hash(chain + sealed.suffix(Self.tagSize), 32))
    }

    /// Returns the block with the mark of a version.
    func mark(_ version: UInt64, chain: [UInt8]) -> [UInt8] {
      let begin = Array("OBXDONE1".utf8) + bytes(version, 8) + chain
      let mark = begin + Self.hash(begin, 32, recordKey)
      return mark + [UInt8](repeating: 0, count: Self.block - mark.count)
    }

    /// The chain with which the log begins.
    var chain: [UInt8] { Self.hash(Array(body[32..<64] + begin[120..<136]), 32) }

    /// Returns the pages file with another log, which is cut to its room.
    func pages(log: [UInt8]) -> [UInt8] {
      let room = logBlocks * Self.block
      let log = log.prefix(room) + [UInt8](repeating: 0, count: max(0, room - log.count))
      return Array(pages[..<Self.block]) + log + pages[(Self.block + room)...]
    }

    /// The body of a head of the newest version, which the log leads to.
    var newestBody: [UInt8] {
      var seals: [UInt64: [UInt8]] = [:]
      for record in records {
        let added = Int(number(record.body, at: 152, size: 4))
        let removed = Int(number(record.body, at: 156, size: 4))
        for index in 0..<removed {
          seals[number(record.body, at: 168 + added * 24 + index * 8, size: 8)] = nil
        }
        for index in 0..<added {
          let place = 168 + index * 24
          seals[number(record.body, at: place, size: 8)] =
            bytes(record.version, 8) + record.seed + record.body[place + 8..<place + 24]
        }
      }
      var newest = Array(body[..<16])
      newest += bytes(records.last?.version ?? 0, 8) + body[24..<64]
      newest += records.last?.body.prefix(152) ?? []
      newest += body[216..<224] + bytes(UInt64(seals.count), 8)
      for (page, seal) in seals.sorted(by: { $0.key < $1.key }) { newest += bytes(page, 8) + seal }
      return newest
    }

    // MARK: Ciphers

    private struct IsSealedOtherwise: Error {}

    private static func opened(
      _ sealed: [UInt8],
      _ nonce: [UInt8],
      with data: [UInt8],
      _ key: [UInt8]
    ) throws -> [UInt8] {
      var text = [UInt8](repeating: 0, count: max(0, sealed.count - tagSize))
      let code = crypto_aead_xchacha20poly1305_ietf_decrypt(
        &text,
        nil,
        nil,
        sealed,
        UInt64(sealed.count),
        data,
        UInt64(data.count),
        nonce,
        key
      )
      if code != 0 { throw IsSealedOtherwise() }
      return text
    }

    private static func sealed(
      _ text: [UInt8],
      _ nonce: [UInt8],
      with data: [UInt8],
      _ key: [UInt8]
    ) -> [UInt8] {
      var sealed = [UInt8](repeating: 0, count: text.count + tagSize)
      crypto_aead_xchacha20poly1305_ietf_encrypt(
        &sealed,
        nil,
        text,
        UInt64(text.count),
        data,
        UInt64(data.count),
        nil,
        nonce,
        key
      )
      return sealed
    }

    private static func hash(_ bytes: [UInt8], _ size: Int, _ key: [UInt8] = []) -> [UInt8] {
      var hash = [UInt8](repeating: 0, count: size)
      crypto_generichash(&hash, size, bytes, UInt64(bytes.count), key, key.count)
      return hash
    }

    private static func derived(_ key: [UInt8], _ number: UInt64) -> [UInt8] {
      var result = [UInt8](repeating: 0, count: 32)
      let data = key
      crypto_kdf_derive_from_key(&result, 32, number, "objbox01", data)
      return result
    }
  }

  /// Reads a little-endian number.
  private func number(_ bytes: [UInt8], at offset: Int, size: Int) -> UInt64 {
    bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns a little-endian number.
  private func bytes(_ number: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
#endif
