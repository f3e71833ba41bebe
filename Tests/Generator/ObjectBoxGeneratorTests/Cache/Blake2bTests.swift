import ObjectBoxGenerator
import Testing

struct Blake2bTests {
  /// The lengths are near block boundaries; the digests are from Python's hashlib.
  @Test(arguments: [
    (0, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"),
    (1, "e88bd757ad5b9bedf372d8d3f0cf6c962a469db61a265f6418e1ffed86da29ec"),
    (127, "6973863dc21b92c8a8ba5ee1f6844785f3b2052c59a3f2bfd33a579c4e627932"),
    (128, "5f95adf9595ed7deb1eb5dcc0cace62b9e83a81f0ff9cbd723d7093288f164ff"),
    (129, "0b0416b0ea3e85103912326989b63cffdcdc123b533fe05b2ba40ee3706e2199"),
    (255, "e2c89dd7724992e02825e96d8da2101dbc2066454ca918904266d666d372d5a6"),
    (256, "abe368dcc6675b9fe36ab45afa6d6b31ba50aa4d091911e1a09321b47c4afa4e"),
    (257, "fd74ba09e117662fd50ccdebda2ad7d35b620d45ccf1f32fbe8f2d73062ef2db"),
    (1000, "fb9371062f3b6797fbaec23aeffbdb33011ff53aabaada12e7f777b3d906ba69"),
  ])
  func `digests of all lengths are those of other implementations`(count: Int, digest: String) {
    let bytes = (0..<count).map { (place: Int) -> UInt8 in UInt8((place * 7 + 3) % 128) }
    #expect(Blake2b.digest(of: String(decoding: bytes, as: UTF8.self)) == digest)
  }

  @Test func `the example of RFC 7693 has the digest that the RFC states`() {
    let state = Array("abc".utf8).withUnsafeBytes { Blake2b.state(of: $0, digestCount: 64) }
    #expect(
      state.map(\.byteSwapped) == [
        0xba80_a53f_981c_4d0d, 0x6a27_97b6_9f12_f6e9, 0x4c21_2f14_685a_c4b7, 0x4b12_bb6f_dbff_a2d1,
        0x7d87_c539_2aab_792d, 0xc252_d5de_4533_cc95, 0x18d3_8aa8_dbf1_925a, 0xb923_86ed_d400_9923,
      ]
    )
    let digest = "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"
    #expect(Blake2b.digest(of: "abc") == digest)
  }
}
