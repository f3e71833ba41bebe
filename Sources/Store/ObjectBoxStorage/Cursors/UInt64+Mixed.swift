extension UInt64 {
  /// The number of SplitMix64 for this state: all its bits depend on all bits of the state.
  ///
  /// The same in every process and version: levels of nodes in stored graphs depend on it.
  package var mixed: UInt64 {
    var bits = self &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
