internal import ObjectBoxCommandLine

import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

/// Sources after fixes.
struct FixItTests {
  /// Makes all fixes of a source; returns the new text, the remaining findings, and whether each
  /// fix was safe.
  private func fixed(_ text: String) -> (text: String, findings: [String], isSafe: [Bool]) {
    let file = SourceFile(path: "Note.swift", text: text)
    let fixIts = SchemaBuilder.build([file]).diagnostics.flatMap(\.fixIts)
    let after = FixPlan(fixIts).apply(to: [file]).first ?? file
    return (
      after.text, SchemaBuilder.build([after]).diagnostics.map(\.description), fixIts.map(\.isSafe)
    )
  }

  private func fixed(property: String, others: String = "")
    -> (text: String, findings: [String], isSafe: [Bool])
  {
    let (head, tail) = ("struct Note: Entity {\nvar id: Id\n", "\n}\n" + others)
    var result = fixed(head + property + tail)
    result.text = String(result.text.dropFirst(head.count).dropLast(tail.count))
    return result
  }

  @Test(arguments: [
    ("indx", "index"), ("INDEX", "index"),
    (
      "uniqe = { \"onConflict\": \"replace\" }, name = x",
      "unique = { \"onConflict\": \"replace\" }, name = x"
    ), ("externalNam = \"x\"", "externalName = \"x\""),
    ("transeint", "transient"), ("index = hsh", "index = hash"),
    ("index = \"Hash64\"", "index = \"hash64\""),
    ("externalType = 'mongoID'", "externalType = 'mongoId'"),
    ("indx, externalType = uid", "index, externalType = uuid"),
  ])
  func `misspelt words are replaced`(_ annotation: String, _ expected: String) {
    let result = fixed(property: "// objectbox: \(annotation)\nvar it: String = \"\"")
    #expect(result.text == "// objectbox: \(expected)\nvar it: String = \"\"")
    #expect(result.findings == [])
    #expect(!result.isSafe.contains(false))
  }

  @Test(arguments: [
    (
      "unique = { \"onconflict\": \"replace\" }", "String",
      "unique = { \"onConflict\": \"replace\" }"
    ),
    (
      "unique = { \"onConflict\": \"replce\" }", "String",
      "unique = { \"onConflict\": \"replace\" }"
    ),
    (
      "convert = { \"dbtype\": \"Int\", \"convertor\": \"C\" }", "Money",
      "convert = { \"dbType\": \"Int\", \"converter\": \"C\" }"
    ),
    ("type = \"datenano\"", "Date", "type = \"date-nano\""), ("type = flx", "Data", "type = flex"),
  ])
  func `misspelt keys and values are replaced`(
    _ annotation: String,
    _ type: String,
    _ expected: String
  ) {
    let result = fixed(property: "// objectbox: \(annotation)\nvar it: \(type)")
    #expect(result.text == "// objectbox: \(expected)\nvar it: \(type)")
    #expect(result.findings == [])
  }

  @Test func `a misspelt key of sync is replaced`() {
    let tail = ": true }\nclass Note: Entity { var id: Id = 0 }"
    let result = fixed("// objectbox: sync = { \"sharedGlobalIDs\"" + tail)
    #expect(result.text == "// objectbox: sync = { \"sharedGlobalIds\"" + tail)
    #expect(result.findings == [])
  }

  @Test func `a misspelt annotation of a type is replaced`() {
    let result = fixed("/* objectbox: entitty, symc */\nclass Note { var id: Id = 0 }\n")
    #expect(result.text == "/* objectbox: entity, sync */\nclass Note { var id: Id = 0 }\n")
    #expect(result.findings == [])
  }

  @Test(arguments: [
    // No word is near, or the right word is present too.
    "colour", "indx, index", "externalType = postgres", "index = btree",
  ])
  func `what may mean something else has no fix`(_ annotation: String) {
    let result = fixed(property: "// objectbox: \(annotation)\nvar it: String = \"\"")
    #expect(result.isSafe == [])
    #expect(result.findings.count == 1)
  }

  @Test func `a word between two known ones is not replaced without asking`() {
    #expect(EditDistance.suggestion(for: "hush", in: ["hash", "hosh"])?.isCertain == false)
    #expect(EditDistance.suggestion(for: "converse", in: ["convert"])?.isCertain == true)
    #expect(EditDistance.suggestion(for: "trans", in: ["transit"])?.isCertain != true)
    #expect(EditDistance.suggestion(for: "HASH", in: ["hash"])?.isCertain == true)
  }

  @Test(arguments: [
    ("convert", "convert = { \"default\": \".a\" }"),
    ("convert = {}", "convert = { \"default\": \".a\" }"),
    ("convert = \"Int\", index", "convert = { \"dbType\": \"Int\", \"default\": \".a\" }, index"),
    ("convert = { \"dbType\": \"Int\" }", "convert = { \"dbType\": \"Int\", \"default\": \".a\" }"),
    ("convert = {\"dbType\":\"Int\"}", "convert = {\"dbType\":\"Int\", \"default\": \".a\"}"),
    ("convert: dbType = Int", "convert: dbType = Int, default = .a"),
  ])
  func `a conversion gets the first case as its default, on demand`(
    _ annotation: String,
    _ expected: String
  ) {
    let result = fixed(
      property: "// objectbox: \(annotation)\nvar it: Kind",
      others: "enum Kind: Int { case a, b; case c }"
    )
    #expect(result.text == "// objectbox: \(expected)\nvar it: Kind")
    #expect(result.findings == [])
    #expect(result.isSafe == [false])
  }

  @Test(arguments: [("case a, unset", ".unset"), ("case a\ncase unknown", ".unknown")])
  func `a case for unknown values is a safe default`(_ cases: String, _ expected: String) {
    let result = fixed(
      property: "// objectbox: convert\nvar it: Box.Kind",
      others: "enum Box { enum Kind: String { \(cases) } }"
    )
    #expect(result.text.contains("\"default\": \"\(expected)\""))
    #expect(result.findings == [])
    #expect(result.isSafe == [true])
  }

  @Test(arguments: ["struct Kind {}", "enum Kind: Int {}", "enum Kind { case a }", ""])
  func `other types have no default to offer`(_ others: String) {
    let result = fixed(property: "// objectbox: convert\nvar it: Kind", others: others)
    #expect(result.isSafe == [])
  }

  @Test(arguments: ["uid", "uid =", "uid = 1", "name = \"Note\", uid"])
  func `a bare uid becomes the current one`(_ annotation: String) throws {
    func run(_ text: String, _ model: ModelDocument) -> ModelSynchronizer.Result {
      let built = SchemaBuilder.build([SourceFile(path: "Note.swift", text: text)])
      var uids = UIDGenerator(isDeterministic: true)
      return ModelSynchronizer.synchronize(
        built.schema,
        with: model,
        uids: &uids
      )
    }
    let first = run("class Note: Entity { var id: Id = 0 }", ModelDocument())
    let source =
      "// objectbox: \(annotation)\nclass Note: Entity {\n// objectbox: uid\nvar id: Id = 0 }"
    let findings = run(source, first.model).diagnostics
    #expect(findings.map(\.position?.line) == [1, 3])
    let plan = FixPlan(findings)
    let fixed = try #require(
      plan.apply(to: [SourceFile(path: "Note.swift", text: source)]).first?.text
    )
    let second = run(fixed, first.model)
    #expect(second.diagnostics == [])
    #expect(second.model == first.model)
    let uid = try #require(first.model.entities.first?.id.uid)
    #expect(fixed.contains("uid = \(uid)\nclass Note"))
  }

  @Test func `fixes are notes in the text of a finding`() {
    let file = SourceFile(
      path: "N.swift",
      text: "// objectbox: entitty\nclass A {}"
    )
    #expect(
      SchemaBuilder.build([file]).diagnostics.map(\.description) == [
        "N.swift:1:15: error: unknown annotation 'entitty' on 'A'; did you mean 'entity'?\n"
          + "N.swift:1:15: note: fix: replace 'entitty' by 'entity'"
      ]
    )
  }
}
