#if OBJECTBOX_SODIUM
  import ObjectBoxTestSupport

  @testable import ObjectBoxEncryption

  /// Keys, states and records with fixed bytes.
  enum SealedFormat {
    static func keys(_ first: UInt8 = 0) throws -> StoreKeys {
      let keys = StoreKeys { data in
        for index in data.indices { data[index] = first &+ UInt8(index) }
        return true
      }
      guard let keys else { throw NoKeys() }
      return keys
    }

    struct NoKeys: Error {}

    /// Gives the bytes 0, 1, 2 and so on in each call.
    static let counting: RandomSource = { buffer in
      for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: index) }
    }

    static let storeID = Bytes16(first: 0x0706_0504_0302_0100, second: 0x0f0e_0d0c_0b0a_0908)
    static let seed = Bytes16(first: 0x1716_1514_1312_1110, second: 0x1f1e_1d1c_1b1a_1918)

    static func emptyState(logBlocks: Int = 16) -> ImageState {
      ImageState(storeID: storeID, pagesID: 42, pageSize: 4096, logBlocks: logBlocks)
    }

    static func record(_ version: UInt64, added: [UInt64], removed: [UInt64] = []) -> LogRecord {
      var record = LogRecord(
        version: version,
        seed: Bytes16(first: version, second: 7),
        lmdbHead: (0..<ImageState.lmdbHeadSize).map {
          UInt8(truncatingIfNeeded: $0 &+ Int(version))
        }
      )
      record.added = added.map { ($0, Bytes16(first: version, second: $0)) }
      record.removed = removed
      return record
    }

    /// Returns the state and the log after commits, each with its mark.
    static func log(
      _ records: [LogRecord],
      from state: ImageState,
      _ keys: StoreKeys
    ) -> (state: ImageState, log: [UInt8]) {
      var (state, log) = (state, [UInt8]())
      for record in records {
        let (blocks, tag) = record.sealed(after: state, keys)
        log += blocks
        state.apply(record, tag: tag)
      }
      log += CommitMark.block(state, keys)
      log.pad(to: state.logBlocks * LogRecord.blockSize)
      return (state, log)
    }
  }

  extension ImageState {
    /// The parts that a head or a log must give back.
    var parts: [AnyHashable] {
      [storeID, pagesID, pageSize, logBlocks, version, chain, lmdbHead, liveCount]
        + seals.enumerated().filter { $0.element.version != 0 }.map {
          AnyHashable([AnyHashable($0.offset), AnyHashable($0.element)])
        }
    }
  }
#endif
