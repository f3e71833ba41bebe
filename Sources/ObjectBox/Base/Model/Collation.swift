/// The rule by which the index of a text property tells texts apart.
///
/// The numbers are part of the store file.
public enum Collation: UInt8, Sendable {
  /// By their bytes.
  case binary = 0
  /// Without regard to upper and lower case, in every script.
  case nocase = 1
}
