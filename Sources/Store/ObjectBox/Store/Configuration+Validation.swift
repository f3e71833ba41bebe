internal import ObjectBoxStorage

extension Store.Configuration {
  /// Makes the checks of ``validateOnOpen`` that go beyond the checks of every opening.
  ///
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` with the first fault; `StorageError` when
  ///   the file cannot be read.
  func validate(_ environment: StorageEnvironment) throws {
    switch validateOnOpen {
    case .unknown, .none_, .regular: return
    case .withleaves, .allbranches:
      let isRead: Void? = try PageSnapshot.withNewest(of: environment) {
        try $0.checkStructure($1)
      }
      guard isRead != nil else { throw StoreError.damaged(directory, "a head page is damaged") }
    case .full:
      if let fault = try FullCheck.firstFault(in: environment, directory) {
        throw StoreError.damaged(directory, fault)
      }
    }
  }
}
