import ObjectBoxGenerator
import Testing

/// The rules of the public Mustache specification, and our differences from it.
struct MustacheTests {
  private static let context: MustacheValue = [
    "name": "World", "yes": true, "no": false, "empty": [], "html": "<b> & \"c\"",
    "list": [["x": "1"], ["x": "2"]], "words": ["a", "b"],
    "object": ["inner": ["deep": "D"], "x": "O"],
    "x": "outer", "blank": "", "lines": "1\n2",
  ]

  private func render(_ text: String, partials: [String: String] = [:]) throws -> String {
    var parsed: [String: MustacheTemplate] = [:]
    for (name, partial) in partials { parsed[name] = try MustacheTemplate(partial, name: name) }
    return try MustacheTemplate(text, name: "t").render(Self.context, partials: parsed)
  }

  private static let rendered: [(String, String)] = [
    ("Hello {{name}}!", "Hello World!"), ("{{ name }}", "World"), ("{{html}}", "<b> & \"c\""),
    ("{{{html}}}", "<b> & \"c\""), ("{{& html }}", "<b> & \"c\""), ("{{object.inner.deep}}", "D"),
    ("{{#yes}}a{{/yes}}", "a"), ("{{#no}}a{{/no}}", ""), ("{{^no}}a{{/no}}", "a"),
    ("{{^yes}}a{{/yes}}", ""), ("{{#empty}}a{{/empty}}", ""), ("{{^empty}}a{{/empty}}", "a"),
    ("{{#blank}}a{{/blank}}", ""), ("{{#list}}{{x}},{{/list}}", "1,2,"),
    ("{{#words}}{{.}}-{{/words}}", "a-b-"), ("{{#object}}{{x}}{{/object}}{{x}}", "Oouter"),
    ("{{#object}}{{name}}{{/object}}", "World"), ("{{#list}}{{#yes}}{{x}}{{/yes}}{{/list}}", "12"),
    ("a{{! comment }}b", "ab"), ("a\n  {{! comment }}\nb", "a\nb"),
    ("a\r\n{{! c }}\r\nb", "a\r\nb"),
    ("a\n{{#yes}}\nb\n{{/yes}}\nc\n", "a\nb\nc\n"), ("  {{#yes}}  \nb\n  {{/yes}}", "b\n"),
    ("a {{#yes}}b{{/yes}}\n", "a b\n"), ("{{#yes}}\n{{/yes}}\n", ""),
    (" | {{#yes}}\n | {{/yes}}\n", " | \n | \n"),
    ("{{=<% %>=}}<% name %>{{name}}", "World{{name}}"),
    ("{{=| |=}}\n|name|\n|={{ }}=|\n{{name}}", "World\nWorld"),
    ("{{! multi\nline }}x", "x"), ("é{{name}}日本", "éWorld日本"),
  ]

  @Test(arguments: rendered)
  func `templates render as the specification says`(template: String, expected: String) throws {
    #expect(try render(template) == expected)
  }

  @Test func `partials take the context and keep the indentation of their line`() throws {
    #expect(try render("[{{> p}}]", partials: ["p": "{{name}}"]) == "[World]")
    #expect(
      try render("a\n  {{> p}}\nb", partials: ["p": "1\n{{name}}\n"]) == "a\n  1\n  World\nb"
    )
    #expect(try render(" {{> p}}\n", partials: ["p": "|\n{{lines}}\n|\n"]) == " |\n 1\n2\n |\n")
    #expect(try render("\t{{> p}}!", partials: ["p": "x\ny"]) == "\tx\ny!")
    #expect(try render("{{#list}}{{> p}}{{/list}}", partials: ["p": "<{{x}}>"]) == "<1><2>")
  }

  @Test(arguments: [
    ("a\né{{missing}}", "t:2:3: the context has no 'missing'"),
    ("{{object.missing}}", "'object.missing'"), ("{{#missing}}{{/missing}}", "'missing'"),
    ("\n{{#yes}}a", "t:2:1: section 'yes' is not closed"), ("{{/yes}}", "was not opened"),
    ("{{#yes}}{{/no}}", "closed as 'no'"), ("{{name", "not closed"), ("{{}}", "no name"),
    ("{{> nowhere}}", "no partial 'nowhere'"), ("{{object}}", "is no text"),
    ("{{=a=}}", "delimiters"),
  ])
  func `faults name template, line and key`(template: String, words: String) {
    #expect {
      _ = try render(template)
    } throws: { error in
      "\(error)".contains(words)
    }
  }

  @Test func `a partial that includes itself for ever is told`() {
    #expect(throws: MustacheError.self) { try render("{{> p}}", partials: ["p": "{{> p}}"]) }
  }

  @Test(arguments: [101, 100_000])
  func `sections nested without an end are told, and end no process`(_ depth: Int) throws {
    let text =
      String(repeating: "{{#a}}", count: depth) + String(repeating: "{{/a}}", count: depth)
    #expect {
      _ = try MustacheTemplate(text, name: "t")
    } throws: { error in
      "\(error)".contains("sections are nested deeper than 100")
    }
  }
}
