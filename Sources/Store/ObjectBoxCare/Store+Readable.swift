internal import ObjectBox
internal import ObjectBoxStorage

extension Store {
  /// Passes the readable part of a damaged store to a body.
  static func withReadable<T>(
    _ source: Store.Configuration,
    _ body: (ReadableCopy) throws -> T
  ) throws -> T {
    let directory = StoreDirectory(location: PageSnapshot.location(source.directory))
    if let medium = source.medium {
      guard let open = try? Store.attachTo(directory: directory.path) else {
        return try medium.withReadable(directory.opening(source), body)
      }
      // A process must not open the files twice.
      defer { open.close() }
      return try PageSnapshot.withNewest(of: open.transactions, for: .check) { image, head in
        try body(
          ReadableCopy(image: image, faults: [], quoting: open.file.quoting, pinned: head)
        )
      }
    }
    return try PageSnapshot.withNewest(in: source.directory, for: .check) { image, _ in
      try body(ReadableCopy(image: image, faults: [], quoting: .shown))
    }
  }
}
