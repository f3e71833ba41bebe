extension Store {
  /// The greatest size of the file in bytes, of this process: what ``Configuration/maxDbSizeInKByte`` says until
  /// it is set.
  ///
  /// May be read and set by all threads at any time, at no cost, and holds for all instances on the file. A value
  /// below 16 KiB counts as 16 KiB. The file stays as it is when the size is set, and each process on it has a
  /// limit of its own.
  ///
  /// Raising it lets the next put have more room, also in a write transaction that runs meanwhile. Lowering it
  /// below the present size of the file admits only writes that do not make the file larger: what uses free
  /// pages, updates, and removals.
  ///
  /// A write that would make the file larger throws ``ObjectBoxError/dbFull(message:)``. Removals may exceed the
  /// limit, since they copy pages before they free them: up to twice the limit and 64 pages. A commit may add a
  /// few pages for its list of free ones.
  public var maximumSize: Int {
    get { file.maximumSize }
    set { file.maximumSize = newValue }
  }
}
