#if OBJECTBOX_SODIUM
  import Testing

  @testable import ObjectBoxEncryption

  struct PageSealTests {
    private let page = (0..<4096).map { UInt8(truncatingIfNeeded: $0) }

    private func sealed(_ sealer: PageSealer) -> (bytes: [UInt8], seal: PageSeal) {
      var bytes = page
      let tag = bytes.withUnsafeMutableBytes { bytes in
        page.withUnsafeBytes { page in
          sealer.seal(
            page.baseAddress.unsafelyUnwrapped,
            7,
            version: 5,
            seed: SealedFormat.seed,
            to: bytes.baseAddress.unsafelyUnwrapped
          )
        }
      }
      return (bytes, PageSeal(version: 5, seed: SealedFormat.seed, tag: tag))
    }

    private func opened(
      _ bytes: [UInt8],
      _ number: UInt64,
      _ seal: PageSeal,
      _ sealer: PageSealer
    ) -> [UInt8]? {
      var result = bytes
      let isOpen = result.withUnsafeMutableBytes { result in
        bytes.withUnsafeBytes { bytes in
          sealer.open(
            bytes.baseAddress.unsafelyUnwrapped,
            number,
            seal,
            to: result.baseAddress.unsafelyUnwrapped
          )
        }
      }
      return isOpen ? result : nil
    }

    private func sealer(_ first: UInt8 = 0, _ store: Bytes16 = SealedFormat.storeID) throws
      -> PageSealer
    {
      PageSealer(keys: try SealedFormat.keys(first), storeID: store, pageSize: 4096)
    }

    @Test func `a page opens in its own place and version only`() throws {
      let sealer = try sealer()
      let (bytes, seal) = sealed(sealer)
      #expect(bytes != page)
      #expect(opened(bytes, 7, seal, sealer) == page)
      #expect(opened(bytes, 8, seal, sealer) == nil)
      var older = seal
      older.version = 4
      #expect(opened(bytes, 7, older, sealer) == nil)
      #expect(opened(bytes, 7, seal, try self.sealer(1)) == nil)
      #expect(opened(bytes, 7, seal, try self.sealer(0, SealedFormat.seed)) == nil)
      for place in [0, 100, 4095] {
        var changed = bytes
        changed[place] ^= 0x80
        #expect(opened(changed, 7, seal, sealer) == nil)
      }
    }
  }
#endif
