#if OBJECTBOX_INTERNAL_CHECKS
  /// The medium of stores that choose none, in builds with internal checks.
  ///
  /// With it, the tests of boxes, queries and transactions run on encrypted stores as they are.
  package enum TestMedium {
    /// Makes the medium; nil for LMDB's own files.
    ///
    /// Set before `main` only, so it needs no lock.
    nonisolated(unsafe) package static var make: (@Sendable () -> (any StoreMedium)?)?

    fileprivate static let shared = make?() ?? nil
  }

  extension Store.Configuration {
    /// Returns the configuration with the medium of tests, if it has none and the store can have
    /// one.
    ///
    /// Stores in memory, stores of several processes and stores that are plain already stay plain.
    func withTestMedium(_ directory: StoreDirectory, isExisting: Bool) -> Self {
      guard medium == nil, let shared = TestMedium.shared, !isSharedWithOtherProcesses,
        !directory.isInMemory
      else { return self }
      let isMade = !isExisting && !readOnly && !directory.isPlain
      guard isMade || directory.isSealed else { return self }
      var configuration = self
      configuration.medium = shared
      return configuration
    }
  }
#endif
