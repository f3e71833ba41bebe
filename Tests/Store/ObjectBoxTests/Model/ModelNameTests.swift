import Testing

@testable import ObjectBox

struct ModelNameTests {
  @Test(arguments: [
    ("name", "name"), ("name", "nAME"), ("straße", "STRAßE"), ("é", "É"), ("e\u{301}", "\u{c9}"),
    ("k", "\u{212a}"), ("", ""), ("[", "["),
  ])
  func `names that differ in case only are alike`(a: String, b: String) {
    #expect(ModelCheck.areAlike(a, b))
    #expect(ModelCheck.areAlike(b, a))
  }

  @Test(arguments: [
    ("name", "names"), ("a", "b"), ("[", "{"), ("@", "`"), ("e", "e\u{301}"), ("é", "e"), ("", "a"),
    ("i", "\u{130}"),
  ])
  func `other names are not alike`(a: String, b: String) {
    #expect(!ModelCheck.areAlike(a, b))
    #expect(!ModelCheck.areAlike(b, a))
  }
}
