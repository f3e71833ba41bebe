#if OBJECTBOX_SODIUM
  /// The seal of a page: the values that open it, together with the key.
  struct PageSeal: Hashable {
    /// The commit that wrote the page; 0 for a page that is not in use.
    var version: UInt64 = 0
    /// The random seed of that commit.
    var seed = Bytes16()
    var tag = Bytes16()
  }

  /// Seals and opens the pages of a store.
  ///
  /// The nonce is the seed of the commit and the page's number. Version numbers would repeat: after a crash, a
  /// commit is made again under the same number.
  struct PageSealer {
    let keys: StoreKeys
    let storeID: Bytes16
    let pageSize: Int

    /// The bytes that are authenticated with a page, so that no page opens in another place or version.
    private struct Place {
      var storeID: Bytes16
      var number: UInt64
      var version: UInt64
    }

    /// Seals a page, and returns its tag.
    func seal(
      _ page: UnsafeRawPointer,
      _ number: UInt64,
      version: UInt64,
      seed: Bytes16,
      to sealed: UnsafeMutableRawPointer
    ) -> Bytes16 {
      var place = Place(storeID: storeID, number: number, version: version)
      return withUnsafeBytes(of: &place) { place in
        Cipher.seal(
          UnsafeRawBufferPointer(start: page, count: pageSize),
          to: sealed,
          nonce: Cipher.Nonce(seed: seed, number: number),
          data: place,
          key: keys.pages
        )
      }
    }

    /// Opens a page; false when it is not the page of the seal.
    func open(
      _ sealed: UnsafeRawPointer,
      _ number: UInt64,
      _ seal: PageSeal,
      to page: UnsafeMutableRawPointer
    ) -> Bool {
      var place = Place(storeID: storeID, number: number, version: seal.version)
      return withUnsafeBytes(of: &place) { place in
        Cipher.open(
          UnsafeRawBufferPointer(start: sealed, count: pageSize),
          tag: seal.tag,
          to: page,
          nonce: Cipher.Nonce(seed: seal.seed, number: number),
          data: place,
          key: keys.pages
        )
      }
    }
  }
#endif
