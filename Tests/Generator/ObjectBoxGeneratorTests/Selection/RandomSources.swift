import ObjectBoxGenerator
import ObjectBoxTestSupport

/// Random sources whose declarations refer to each other across files, with many texts that only
/// look like declarations.
struct RandomSources {
  private var random: SplitMix
  /// True for one entity in the first file, and in each other file a declaration that it may need.
  private var isSparse = false
  private static let names = [
    "Note", "Book", "Page", "Kind", "Mood", "Tag", "Words", "Stamp", "Outer", "Größe",
  ]
  private static let builtin = [
    "Int", "String", "Bool", "UInt16", "Date", "Data", "UUID", "[UInt8]",
  ]

  /// Returns the files of a seed, in the order of their paths.
  static func files(seed: Int) -> [SourceFile] {
    var sources = RandomSources(random: SplitMix(seed: seed))
    sources.isSparse = sources.chance(2)
    return (0..<Int.random(in: 2...10, using: &sources.random)).map { number in
      let text =
        !sources.isSparse
        ? sources.file() : number == 0 ? sources.entity() : sources.declarations()
      return SourceFile(path: "File\(number).swift", text: text)
    }
  }

  private mutating func chance(_ oneIn: Int) -> Bool {
    Int.random(in: 0..<oneIn, using: &random) == 0
  }

  private mutating func name() -> String {
    // Few names: many files then need each other.
    random.pick(isSparse ? Array(Self.names.prefix(6)) : Self.names)
  }

  private mutating func file() -> String {
    if chance(60) { return "<<<<<<< ours\nenum A {}\n=======\n>>>>>>> theirs\n" }
    if chance(60) { return GeneratedFile.marker + "\n" + declaration(depth: 0) }
    var text = chance(3) ? "import ObjectBox\n" : ""
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let declaration = declaration(depth: 0)
      switch Int.random(in: 0..<14, using: &random) {
      case 0: text += "#if DEBUG\n\(declaration)\n#else\n\(self.declaration(depth: 0))\n#endif\n"
      case 1: text += "func local() {\n\(declaration)\n}\n"
      case 2: text += "/*\n\(declaration)\n*/\n"
      case 3: text += "let text = \"\"\"\n\(declaration)\n\"\"\"\n"
      default: text += declaration + "\n"
      }
    }
    return chance(60) ? text + "}\nstruct {" : text
  }

  private mutating func declarations() -> String {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in declaration(depth: 0) }
      .joined(separator: "\n")
  }

  private mutating func declaration(depth: Int) -> String {
    switch Int.random(in: isSparse ? 3..<9 : 0..<16, using: &random) {
    case 0, 1: entity()
    case 3, 4:
      spell("enum", name(), random.pick(["", ": Int", ": String", ": \(name())"]), "case a")
    case 5:
      "typealias\(random.pick([" ", "\n"]))\(name()) =\(random.pick([" ", "\n"]))\(aliased())"
    case 6, 7:
      chance(3)
        ? base()
        : spell(random.pick(["struct", "class"]), name(), "", depth < 2 ? inner(depth) : "")
    case 8, 9: addition(depth: depth)
    case 10: chance(2) ? spell("actor", name(), "", "") : requirements()
    case 11...13: "struct View { let number = \(depth); func show(_ it: \(name())) {} }"
    default:
      random.pick([
        "// class \(name()) of the app, an Entity\n", "let word = \"enum \(name()): Int\"\n",
        "// objectbox: entitty\nstruct \(name()) {}\n",
        "// ObjectBox: entity\nstruct \(name()) {}\n", "// ObjectBox is fast\nstruct Fast {}\n",
        "/** objectbox entity */ class \(name()) {\n// ObjectBox: index\nvar x = 1\n}\n",
        "// objectbox: entity\n\n",
        "extension [Int] {}\nlet Entity = 1\n", "// the extension \(name()) is elsewhere\n",
      ])
    }
  }

  private mutating func inner(_ depth: Int) -> String {
    (0..<Int.random(in: 0...2, using: &random)).map { _ in declaration(depth: depth + 1) }
      .joined(separator: "\n")
  }

  /// Writes a declaration with blanks, comments or backticks around its name.
  private mutating func spell(
    _ keyword: String,
    _ name: String,
    _ inherited: String,
    _ body: String
  ) -> String {
    let gap = random.pick([" ", " ", " ", " ", "\n", "\t", " /* { */ ", " // class\n"])
    let spelt = keyword != "extension" && chance(6) ? "`\(name)`" : name
    return "\(keyword)\(gap)\(spelt)\(inherited) {\n\(body)\n}"
  }

  private mutating func entity() -> String {
    let keyword = random.pick(["class", "struct"])
    let properties = (0..<Int.random(in: 0...4, using: &random)).map { property($0) }
    let body =
      (["var id: Id = 0"] + properties + [!isSparse && chance(4) ? declaration(depth: 2) : ""])
      .joined(separator: "\n")
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return "// objectbox: entity\n" + spell(keyword, name(), "", body)
    case 1: return spell(keyword, name(), ": ObjectBox.Entity", body)
    case 2: return spell(keyword, name(), ": \(name()), Entity", body)
    default: return spell(keyword, name(), ": Entity", body)
    }
  }

  /// Writes a class that may be a base, with or without a superclass.
  private mutating func base() -> String {
    let note = random.pick(["", "// objectbox: base\n"])
    let above = random.pick(["", ": \(name())", ": \(name()), Sendable"])
    return note + spell("class", name(), above, chance(2) ? property(9) : "")
  }

  /// Writes a protocol whose requirement may have an annotation.
  private mutating func requirements() -> String {
    let note = random.pick(["", "// objectbox: index\n"])
    let body = note + "var property0: \(type()) { get }"
    return spell("protocol", name(), random.pick(["", ": \(name())"]), body)
  }

  private mutating func property(_ number: Int) -> String {
    let annotation = random.pick([
      "", "", "// objectbox: convert = { \"default\": \".a\" }\n",
      "// objectbox: convert = { \"dbType\": \"\(name())\", \"default\": \".a\" }\n",
      "// objectbox: index\n", "// objectbox: transient\n", "// ObjectBox: index\n",
      "// objectbox index\n",
    ])
    let start = annotation + "var property\(number)"
    return chance(4) ? start + " = \(name()).a" : start + ": \(type())"
  }

  private mutating func type() -> String {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3: random.pick(Self.builtin)
    case 4: "Outer.\(name())"
    case 5: "\(name())?"
    case 6: "[\(name())]"
    case 7: "EntityId<\(name())>"
    default: name()
    }
  }

  private mutating func aliased() -> String {
    random.pick([
      random.pick(Self.builtin), name(), "\(name())?", "Outer.\(name())", "[\(name())]",
    ])
  }

  private mutating func addition(depth: Int) -> String {
    let extended = random.pick(["", "", "", "Outer.", "App."]) + (chance(12) ? "`Tag`" : name())
    let inherited = isSparse ? "" : random.pick(["", "", "", ": Entity", ": Sendable"])
    let annotations = [
      "", "", "", "// objectbox: entity\n", "// objectbox: name = \"n\"\n",
      "// ObjectBox: entity\n",
    ]
    let note = isSparse ? "" : random.pick(annotations)
    let body = random.pick([
      "", "var more: \(type())", isSparse ? "" : "// objectbox: indx\nvar more = 1",
      depth < 2 ? inner(depth) : "",
    ])
    return note + spell("extension", extended, inherited, body)
  }
}
