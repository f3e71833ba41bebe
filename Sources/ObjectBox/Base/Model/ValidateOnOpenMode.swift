/// Checks of a file on opening in ObjectBox's API; this library does not use it.
public enum ValidateOnOpenMode: UInt16, NumberedEnumeration, CaseIterable, Sendable {
  case unknown = 0
  case none_ = 1
  case regular = 2
  case withleaves = 3
  case allbranches = 4
  case full = 5
}
