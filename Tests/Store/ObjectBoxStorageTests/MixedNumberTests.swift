import ObjectBoxStorage
import Testing

/// The numbers of SplitMix64, on which stored graphs depend.
struct MixedNumberTests {
  @Test func `the numbers are those of the published generator with the seed 0`() {
    let step: UInt64 = 0x9E37_79B9_7F4A_7C15
    #expect(
      [0, step, 2 &* step].map(\.mixed) == [
        0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F,
      ]
    )
  }
}
