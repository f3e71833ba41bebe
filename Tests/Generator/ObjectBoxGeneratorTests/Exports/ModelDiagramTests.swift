import Foundation
import ObjectBoxGenerator
import ObjectBoxModelTools
import Testing

struct ModelDiagramTests {
  private static let lines = """
    entity 1:1000 Note
    property 1:2000 id long flags 1
    property 2:2001 slug string flags 2088 index 1:3000
    property 3:2002 count int flags 8192
    property 4:2003 größe double
    property 5:2004 author relation flags 520 index 2:3001 target Author
    property 6:2005 other unknown
    property 7:2006 key byteVector externalType 102 flags 40 index 3:3002
    relation 1:4000 tags to 2:1001
    entity 2:1001 Author<&>
    property 1:2100 id long flags 1
    """

  @Test func `a Mermaid diagram has types, keys, indexes and both kinds of relations`() throws {
    let text = try ModelDiagram.text(of: try model(Self.lines), as: .mermaid)
    #expect(
      text == """
        erDiagram
          Note {
            long id PK "ID"
            string slug UK "unique, hash index"
            unsigned-int count
            double gr__e "größe"
            relation author FK "index"
            unknown other
            uuid key UK "unique, value index"
          }
          Author___["Author<&>"] {
            long id PK "ID"
          }
          Note }o--o{ Author___ : "tags"

        """
    )
    let named = Self.lines.replacingOccurrences(of: "target Author", with: "target Author<&>")
    #expect(
      try ModelDiagram.text(of: try model(named), as: .mermaid)
        .contains("  Note }o--o| Author___ : \"author\"\n")
    )
  }

  @Test func `names that would be the same node or attribute are told apart`() throws {
    let text = try ModelDiagram.text(
      of: try model(
        "entity 1:1000 a+b\nproperty 1:2000 x+ int\nproperty 2:2001 x- int\nentity 2:1001 a-b"
      ),
      as: .mermaid
    )
    #expect(text.contains("a_b[\"a+b\"] {") && text.contains("a_b_2[\"a-b\"] {"))
    #expect(text.contains("int x_ \"x+\"") && text.contains("int x__2 \"x-\""))
  }

  @Test func `a graph for Graphviz has a table an entity, with escaped names`() throws {
    let text = try ModelDiagram.text(of: try model(Self.lines), as: .dot)
    #expect(text.hasPrefix("digraph model {\n") && text.hasSuffix("}\n"))
    #expect(text.contains("<b>Author&lt;&amp;&gt;</b>"))
    #expect(
      text.contains(
        "<tr><td align=\"left\">slug</td><td align=\"left\">string</td>"
          + "<td align=\"left\">unique, hash index</td></tr>"
      )
    )
    #expect(
      text.contains(
        "Note -> Author___ [label=\"tags\", dir=both, arrowtail=crow, arrowhead=crow];"
      )
    )
    #expect(text.filter { $0 == "{" }.count == text.filter { $0 == "}" }.count)
  }

  @Test(arguments: [ModelDiagram.Format.mermaid, .dot])
  func `no name ends a text of a diagram, whatever stands beside its quotes`(
    _ format: ModelDiagram.Format
  ) throws {
    let text = try ModelDiagram.text(
      of: try model(
        """
        entity 1:1000 a\\"\u{301}<\u{301}b
        property 1:2000 id long flags 1
        property 2:2001 \u{600}\\"x string
        relation 1:4000 to\\"\u{20DD} to 1:1000
        """
      ),
      as: format
    )
    let scalars = Array(text.unicodeScalars)
    for (place, scalar) in scalars.enumerated() where scalar.properties.isGraphemeExtend {
      #expect(scalars[place - 1] != "\"")
      #expect(format == .mermaid || scalars[place - 1] != "<")
    }
    for (place, scalar) in scalars.enumerated() where scalar == "\u{600}" {
      #expect(scalars[place + 1] != "\"")
    }
  }

  @Test func `a model without entities is an empty diagram`() throws {
    #expect(try ModelDiagram.text(of: ModelDocument(), as: .mermaid) == "erDiagram\n")
  }
}
