import Testing

/// Tests the layer check itself on small modules.
struct LayerCheckTests {
  private let layers = ["Low", "High"]

  @Test func `a file may use its own and earlier layers`() {
    let check = LayerCheck(
      [
        "Low/A.swift": "struct A { var b = 1 }\nextension A { var twice: Int { b * 2 } }",
        "High/B.swift": "struct B { var a = A()\nfunc sum() -> Int { a.twice } }",
      ],
      layers
    )
    #expect(check.findings == [])
    #expect(check.fileCount == 2)
  }

  @Test(
    arguments: [
      "struct A { var b: B? }", "let b = [B]()", "func take(_ b: some Sequence<B>) {}",
      "func f() { print(\"\\(B.self)\") }",
      "struct A {}\nfunc f(_ text: String) { _ = text.high }",
      "func f(_ texts: [String]) { _ = texts.map(\\.high) }",
      "extension String { var other: Int { high } }",
      "extension String { func other() { lift() } }",
      "func f() { freeHigh() }", "func f() -> String.Inner? { nil }",
    ]
  )
  func `a use of a later layer is found`(_ low: String) {
    let high = """
      struct B {}
      extension String {
        var high: Int { 1 }
        func lift() {}
        struct Inner {}
      }
      func freeHigh() {}
      """
    let check = LayerCheck(["Low/A.swift": low, "High/B.swift": high], layers)
    #expect(check.findings.count == 1, "\(check.findings)")
    #expect(check.findings.first?.hasPrefix("Low/A.swift uses ") == true)
  }

  @Test(
    arguments: [
      "// B and high\nlet text = \"B\"", "struct B {}", "struct A { struct B {} }",
      "struct A { var high = 1 }\nlet high = A().high",
      "func f(high: Int) { print(high) }", "extension Int { var high: Int { 1 } }\nlet a = 1.high",
      "let use = C().later",
    ]
  )
  func `comments, texts and names that the layer has itself are no uses`(_ low: String) {
    let high = """
      struct B {}
      struct D {}
      enum E { static func high() {} }
      extension String { var high: Int { 1 } }
      extension D { var later: Int { 1 } }
      """
    let check = LayerCheck(["Low/A.swift": low, "High/B.swift": high], layers)
    #expect(check.findings == [])
  }

  @Test func `a name of another module is ambiguous`() {
    let sources = [
      "Low/A.swift": "func f(_ value: Value) { _ = value.high }",
      "High/B.swift": "extension String { var high: Int { 1 } }",
    ]
    #expect(LayerCheck(sources, layers).findings == ["Low/A.swift uses high of a later layer"])
    #expect(LayerCheck(sources, layers, ambiguous: ["high"]).findings == [])
  }

  @Test func `an exception admits a use, and is told when nothing needs it`() {
    let sources = ["Low/A.swift": "let b = B()", "High/B.swift": "struct B {}"]
    func findings(_ admitted: [String: Set<String>]) -> [String] {
      LayerCheck(sources, layers, admitting: admitted).findings
    }
    #expect(findings(["Low/A.swift": ["B"]]) == [])
    #expect(
      findings(["Low/A.swift": ["B", "C"]]) == ["Low/A.swift needs no exception for [\"C\"]"]
    )
    #expect(findings(["Low/C.swift": ["B"]]).count == 2)
    #expect(findings(["Low/A.swift": []]).count == 2)
  }

  @Test func `files outside of all layers and layers without files are told`() {
    let check = LayerCheck(["Low/Inner/A.swift": "", "Other/B.swift": "", "C.swift": ""], layers)
    #expect(
      check.findings == [
        "C.swift is in no layer", "Other/B.swift is in no layer", "layer High has no files",
      ]
    )
    let nested = LayerCheck(["Low/Inner/A.swift": "", "Low/B.swift": ""], ["Low", "Low/Inner"])
    #expect(nested.findings == [])
  }

  @Test func `importers are the files that import a module`() {
    let check = LayerCheck(
      ["Low/A.swift": "internal import Foundation", "High/B.swift": "// import Foundation"],
      layers
    )
    #expect(check.importers(of: "Foundation") == ["Low/A.swift"])
  }
}
