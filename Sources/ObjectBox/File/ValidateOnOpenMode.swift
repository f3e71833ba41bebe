/// The part of a store's file that is checked when it is opened; see ``Store/Configuration/validateOnOpen``.
public enum ValidateOnOpenMode: UInt16, NumberedEnumeration, CaseIterable, Sendable {
  /// As ``regular``.
  case unknown = 0
  /// As ``regular``, since LMDB relies on what that checks.
  case none_ = 1
  /// The head pages, the list of free pages and the root of each table: microseconds.
  case regular = 2
  /// All pages, also those of free lists and large values: about a second for each GB.
  case withleaves = 3
  /// As ``withleaves``.
  case allbranches = 4
  /// All pages and what they hold, as `Store.verify(maximumFaultCount:progress:)` does: about a second for each
  /// million objects with two indexes.
  case full = 5
}
