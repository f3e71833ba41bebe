#if OBJECTBOX_SODIUM
  import Testing

  @testable import ObjectBoxEncryption

  /// The bytes of the format for fixed keys and seeds.
  struct KnownAnswerTests {
    private func hash(_ bytes: [UInt8]) -> String {
      Cipher.hash(bytes, size: 16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func `a head with a key, a record and a mark have their known bytes`() throws {
      let keys = try SealedFormat.keys()
      let wrapped = try WrappedKey(keys, for: .key(testKey), random: SealedFormat.counting)
      #expect(hash(wrapped.bytes) == "d1c88891edeea83a214a399e806a0673")
      let empty = SealedFormat.emptyState()
      let record = SealedFormat.record(1, added: [2, 3, 7], removed: [5])
      let (blocks, tag) = record.sealed(after: empty, keys)
      #expect(hash(blocks) == "2eaa822f4fe89d7e2b3e4f6e5e8135e1")
      var state = empty
      state.apply(record, tag: tag)
      #expect(hash(CommitMark.block(state, keys)) == "1e7a1dd17812a8921960cc40f59be2f7")
      let head = SealedHead.copy(of: state, wrapped, keys, seed: SealedFormat.seed)
      #expect(hash(head) == "d195d3d26510842ef7b03005ddb567db")
    }

    @Test func `a passphrase gives its known key`() throws {
      let keys = try SealedFormat.keys()
      let wrapped = try WrappedKey(
        keys,
        for: .passphrase("secret", cost: PassphraseCost(passes: 1, memoryInBytes: 8192)),
        random: SealedFormat.counting
      )
      #expect(hash(wrapped.bytes) == "25b61e712fb66216498427f7528ad11a")
    }
  }
#endif
