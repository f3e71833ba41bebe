#if OBJECTBOX_SODIUM
  import ObjectBoxTestSupport
  import Testing

  @testable import ObjectBoxEncryption

  struct SealedHeadTests {
    private let keys: StoreKeys
    private let wrapped: WrappedKey
    private let state: ImageState
    private let copy: [UInt8]

    init() throws {
      keys = try SealedFormat.keys()
      wrapped = try WrappedKey(keys, for: .key(testKey), random: SealedFormat.counting)
      let record = SealedFormat.record(1, added: (2..<4000).map { UInt64($0) })
      state = SealedFormat.log([record], from: SealedFormat.emptyState(logBlocks: 64), keys).state
      copy = SealedHead.copy(of: state, wrapped, keys, seed: SealedFormat.seed)
    }

    private func open(
      _ file: [UInt8],
      key: StoreEncryption = .key(testKey)
    ) throws -> (state: ImageState, isDamaged: Bool) {
      let found = try SealedHead.find(file)
      return try SealedHead.open(found, found.wrapped.unwrapped(by: key))
    }

    @Test func `a head gives back the version and all seals`() throws {
      let opened = try open(copy + copy)
      #expect(opened.state.parts == state.parts)
      #expect(!opened.isDamaged)
      #expect(SealedHead.fileSize(liveCount: state.liveCount) == 2 * copy.count)
    }

    @Test func `damage of one copy is healed by the other one`() throws {
      // The begin, the wrapped key, pieces and tags, in each copy.
      let places = [0, 9, 80, 125, 140, 4096, 4096 + 65535, 4096 + 65536, copy.count - 4000]
      for place in places + places.map({ $0 + copy.count }) {
        var file = copy + copy
        file[place] ^= 1
        let opened = try open(file)
        #expect(opened.state.parts == state.parts)
        #expect(opened.isDamaged, "place \(place)")
      }
    }

    @Test func `different pieces may be damaged in both copies`() throws {
      var file = copy + copy
      file[4096] ^= 1
      file[copy.count + 4096 + 65536] ^= 1
      #expect(try open(file).state.parts == state.parts)
    }

    @Test(arguments: [0, 30, 80, 125, 140, 4096, 4096 + 65536])
    func `damage of both copies in one place is told, and is no wrong key`(place: Int) throws {
      var file = copy + copy
      file[place] ^= 1
      file[copy.count + place] ^= 1
      #expect(throws: SealedHead.Refusal.self) { try open(file) }
    }

    @Test func `a head that was cut is told`() throws {
      for size in [0, 1, 159, 4096, copy.count, 2 * copy.count - 4096] {
        #expect(throws: SealedHead.Refusal.self) { try open(Array((copy + copy).prefix(size))) }
      }
    }

    @Test func `a wrong key is no damage`() throws {
      #expect(throws: WrappedKey.Refusal.self) {
        try open(copy + copy, key: .key([UInt8](repeating: 1, count: 32)))
      }
    }

    @Test(arguments: [1, 3] as [UInt8])
    func `another format is told`(format: UInt8) throws {
      var bytes = Array(copy.prefix(144))
      bytes[8] = format
      bytes += Cipher.hash(bytes, size: 16)
      let other = bytes + copy.dropFirst(160)
      #expect {
        try open(other + other)
      } throws: {
        if case SealedHead.Refusal.unknownFormat(UInt32(format)) = $0 { true } else { false }
      }
    }
  }
#endif
