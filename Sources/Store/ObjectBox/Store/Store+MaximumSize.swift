extension Store {
  /// The maximum size of the file in bytes, for this process; initially
  /// ``Configuration/maxDbSizeInKByte``.
  ///
  /// It may be read and set on any thread at any time, at no cost, and applies to all instances on
  /// the file. A value below 16 KiB counts as 16 KiB. Setting it does not change the file. Each
  /// process has a limit of its own.
  ///
  /// A higher limit applies to the next put, even in a write transaction that is open. A limit
  /// below the present size of the file admits only writes that do not make the file larger:
  /// updates, removals, and puts that find free pages.
  ///
  /// A write beyond the limit throws ``ObjectBoxError/dbFull(message:)``. Removals may exceed the
  /// limit, up to twice the limit plus 64 pages: they copy pages before they free any. A commit may
  /// add a few pages for the free list.
  public var maximumSize: Int {
    get { file.maximumSize }
    set { file.maximumSize = newValue }
  }
}
