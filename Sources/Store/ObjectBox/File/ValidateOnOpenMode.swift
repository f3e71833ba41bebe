/// The parts of a store's file that opening checks; see ``Store/Configuration/validateOnOpen``.
public enum ValidateOnOpenMode: UInt16, NumberedEnumeration, CaseIterable, Sendable {
  /// As ``regular``.
  case unknown = 0
  /// As ``regular``: LMDB relies on these checks.
  case none_ = 1
  /// The head pages, the free list and the root of each table; takes microseconds.
  case regular = 2
  /// All pages, including free lists and large values; takes about a second for each GB.
  case withleaves = 3
  /// As ``withleaves``.
  case allbranches = 4
  /// All pages and their contents, as `Store.verify(maximumFaultCount:progress:)`; takes about a
  /// second for each million objects with two indexes.
  case full = 5
}
