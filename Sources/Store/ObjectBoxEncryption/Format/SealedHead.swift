#if OBJECTBOX_SODIUM
  /// The file `sealed.head`: the wrapped data key, and a version with the seals of all its pages.
  ///
  /// The file has two equal copies. Each is a block with the begin, and pieces of 64 KiB that are
  /// sealed one by one, so a bad block of the disk costs a piece of one copy.
  enum SealedHead {
    static let blockSize = LogRecord.blockSize
    static let pieceSize = 65536
    private static let textSize = pieceSize - Cipher.tagSize
    private static let beginSize = 160
    private static let hashedSize = 144
    private static let hashSize = 16
    private static let bodyBegin = 232
    private static let entrySize = 48

    /// The size of the file for a number of pages in use.
    static func fileSize(liveCount: Int) -> Int {
      2 * copySize(body: bodyBegin + liveCount * entrySize)
    }

    private static func copySize(body: Int) -> Int {
      let pieces = (body + textSize - 1) / textSize
      let size = blockSize + body + pieces * Cipher.tagSize
      return (size + blockSize - 1) / blockSize * blockSize
    }

    // MARK: Writing

    /// Returns one copy; the file has it twice.
    static func copy(
      of state: ImageState,
      _ wrapped: WrappedKey,
      _ keys: StoreKeys,
      seed: Bytes16
    ) -> [UInt8] {
      var body = body(of: state)
      var bytes = wrapped.bytes
      bytes.append(seed)
      bytes.append(number: UInt64(body.count))
      bytes += Cipher.hash(bytes, size: hashSize)
      let begin = Array(bytes.prefix(hashedSize))
      bytes.pad(to: blockSize)
      bytes.reserveCapacity(copySize(body: body.count))
      body.withUnsafeMutableBytes { body in
        for (number, place) in stride(from: 0, to: body.count, by: textSize).enumerated() {
          let piece = UnsafeMutableRawBufferPointer(
            rebasing: body[place..<min(body.count, place + textSize)]
          )
          let tag = begin.withUnsafeBytes { begin in
            Cipher.seal(
              UnsafeRawBufferPointer(piece),
              to: piece.baseAddress.unsafelyUnwrapped,
              nonce: Cipher.Nonce(seed: seed, number: UInt64(number)),
              data: begin,
              key: keys.head
            )
          }
          bytes.append(contentsOf: piece)
          bytes.append(tag)
        }
      }
      bytes.pad(toMultipleOf: blockSize)
      return bytes
    }

    private static func body(of state: ImageState) -> [UInt8] {
      var body: [UInt8] = []
      body.reserveCapacity(bodyBegin + state.liveCount * entrySize)
      body.append(state.storeID)
      body.append(number: state.version)
      body.append(number: UInt32(state.pageSize))
      body.append(number: UInt32(state.logBlocks))
      body += state.chain
      body += state.lmdbHead
      body.append(number: state.pagesID)
      body.append(number: UInt64(state.liveCount))
      for (page, seal) in state.seals.enumerated() where seal.version != 0 {
        body.append(number: UInt64(page))
        body.append(number: seal.version)
        body.append(seal.seed)
        body.append(seal.tag)
      }
      return body
    }

    // MARK: Reading

    /// A head whose begin is whole; its pieces are not opened yet.
    struct Found {
      let wrapped: WrappedKey
      /// The seed of the pieces, which continues the chain.
      var seed: Bytes16 { begin.bytes16(at: 120) }
      /// The authenticated begin.
      fileprivate let begin: [UInt8]
      fileprivate let copies: [ArraySlice<UInt8>]
      /// True when the begin of a copy is damaged.
      fileprivate let isDamaged: Bool
    }

    enum Refusal: Error {
      case damaged
      /// The number of a format that this version does not know.
      case unknownFormat(UInt32)
    }

    /// Finds a whole begin in a head file.
    static func find(_ file: [UInt8]) throws(Refusal) -> Found {
      let half = file.count / 2
      let copies = [file[..<half], file[half...]]
      let begins = copies.map { copy -> [UInt8]? in
        let bytes = Array(copy.prefix(beginSize))
        let isWhole =
          bytes.count == beginSize && bytes.starts(with: WrappedKey.magic)
          && bytes.suffix(hashSize).elementsEqual(
            Cipher.hash(bytes.prefix(hashedSize), size: hashSize)
          )
        return isWhole ? Array(bytes.prefix(hashedSize)) : nil
      }
      guard let begin = begins.lazy.compactMap({ $0 }).first, let wrapped = WrappedKey(begin[...])
      else { throw .damaged }
      guard wrapped.format == WrappedKey.format, wrapped.suite == WrappedKey.suite else {
        throw .unknownFormat(max(wrapped.format, wrapped.suite))
      }
      return Found(
        wrapped: wrapped,
        begin: begin,
        copies: copies,
        isDamaged: begins.contains { $0 != begin }
      )
    }

    /// Opens the pieces of a head; takes each piece from the copy in which it is whole.
    ///
    /// - Returns: The state, and whether a part of a copy is damaged.
    /// - Throws: ``Refusal/damaged`` when a piece is whole in no copy.
    static func open(
      _ found: Found,
      _ keys: StoreKeys
    ) throws(Refusal) -> (state: ImageState, isDamaged: Bool) {
      let size = found.begin.number(UInt64.self, at: 136)
      let seed = found.seed
      let room = found.copies.map(\.count).min() ?? 0
      guard size >= UInt64(bodyBegin), size <= UInt64(room), copySize(body: Int(size)) == room
      else { throw .damaged }
      var body = [UInt8](repeating: 0, count: Int(size))
      var isDamaged = found.isDamaged
      for (number, place) in stride(from: 0, to: body.count, by: textSize).enumerated() {
        let count = min(body.count - place, textSize)
        let isWhole = found.copies.map { copy in
          openPiece(number, count, of: copy, found.begin, seed, keys) { piece in
            body.replaceSubrange(place..<(place + count), with: piece)
          }
        }
        guard isWhole.contains(true) else { throw .damaged }
        if isWhole.contains(false) { isDamaged = true }
      }
      guard let state = state(of: body) else { throw .damaged }
      return (state, isDamaged)
    }

    private static func openPiece(
      _ number: Int,
      _ count: Int,
      of copy: ArraySlice<UInt8>,
      _ begin: [UInt8],
      _ seed: Bytes16,
      _ keys: StoreKeys,
      _ body: ([UInt8]) -> Void
    ) -> Bool {
      let start = copy.startIndex + blockSize + number * pieceSize
      var piece = Array(copy[start..<(start + count)])
      let tag = Array(copy[(start + count)..<(start + count + Cipher.tagSize)]).bytes16(at: 0)
      let isOpen = piece.withUnsafeMutableBytes { piece in
        begin.withUnsafeBytes { begin in
          Cipher.open(
            UnsafeRawBufferPointer(piece),
            tag: tag,
            to: piece.baseAddress.unsafelyUnwrapped,
            nonce: Cipher.Nonce(seed: seed, number: UInt64(number)),
            data: begin,
            key: keys.head
          )
        }
      }
      if isOpen { body(piece) }
      return isOpen
    }

    /// Reads an opened body; nil when its values do not fit.
    private static func state(of body: [UInt8]) -> ImageState? {
      let chainBegin = 32
      let headBegin = chainBegin + ImageState.chainSize
      let idBegin = headBegin + ImageState.lmdbHeadSize
      let count = body.number(UInt64.self, at: idBegin + 8)
      guard count == UInt64((body.count - bodyBegin) / entrySize),
        (body.count - bodyBegin) % entrySize == 0
      else { return nil }
      var state = ImageState(
        storeID: body.bytes16(at: 0),
        pagesID: body.number(at: idBegin),
        pageSize: Int(body.number(UInt32.self, at: 24)),
        logBlocks: Int(body.number(UInt32.self, at: 28))
      )
      state.version = body.number(at: 16)
      state.chain = Array(body[chainBegin..<headBegin])
      state.lmdbHead = Array(body[headBegin..<idBegin])
      state.liveCount = Int(count)
      let places = stride(from: bodyBegin, to: body.count, by: entrySize)
      let last =
        body.count == bodyBegin ? 0 : body.number(UInt64.self, at: body.count - entrySize) + 1
      guard last < LogRecord.maximumPage else { return nil }
      state.seals = Array(repeating: PageSeal(), count: Int(last))
      var next: UInt64 = 0
      for place in places {
        let page = body.number(UInt64.self, at: place)
        guard page >= next, page < last else { return nil }
        next = page + 1
        state.seals[Int(page)] = PageSeal(
          version: body.number(at: place + 8),
          seed: body.bytes16(at: place + 16),
          tag: body.bytes16(at: place + 32)
        )
      }
      return state
    }
  }
#endif
