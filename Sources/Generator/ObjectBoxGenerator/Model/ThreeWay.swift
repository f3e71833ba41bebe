/// Three-way merge of single values.
package enum ThreeWay {
  /// Returns the value of the side that changed it; nil when both sides changed it differently.
  ///
  /// Without a base, both sides count as changed.
  package static func merge<Value: Equatable>(_ base: Value?, _ ours: Value, _ theirs: Value)
    -> Value?
  {
    if ours == theirs { return ours }
    guard let base else { return nil }
    if ours == base { return theirs }
    return theirs == base ? ours : nil
  }

  /// Returns each flag with the value of the side that changed it; single flags cannot conflict.
  static func merge<Flags: OptionSet>(_ base: Flags, _ ours: Flags, _ theirs: Flags) -> Flags
  where Flags.RawValue: FixedWidthInteger {
    let (base, ours, theirs) = (base.rawValue, ours.rawValue, theirs.rawValue)
    return Flags(rawValue: (ours & theirs) | ((ours ^ theirs) & ~base))
  }
}
