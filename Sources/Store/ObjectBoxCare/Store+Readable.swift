internal import ObjectBox
internal import ObjectBoxStorage

extension Store {
  /// Passes the readable part of a damaged store to a body.
  static func withReadable<T>(
    _ source: Store.Configuration,
    _ body: (ReadableCopy) throws -> T
  ) throws -> T {
    let location = PageSnapshot.location(source.directory)
    // A process must not open the files twice.
    if let open = try? Store.attachTo(directory: location) {
      defer { open.close() }
      return try PageSnapshot.withNewest(of: open.transactions, for: .check) { image, head in
        try body(
          ReadableCopy(image: image, faults: [], quoting: open.file.quoting, pinned: head)
        )
      }
    }
    if let medium = source.medium {
      return try medium.withReadable(StoreDirectory(location: location).opening(source), body)
    }
    return try PageSnapshot.withNewest(in: source.directory, for: .check) { image, _ in
      try body(ReadableCopy(image: image, faults: [], quoting: .shown))
    }
  }
}
