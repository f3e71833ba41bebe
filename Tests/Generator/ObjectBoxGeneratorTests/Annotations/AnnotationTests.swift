@testable import ObjectBoxGenerator
import Testing

/// The table of annotations.
struct AnnotationTests {
  @Test func `each name stands there once`() {
    let names = Annotation.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { Annotation.named($0)?.name == $0 })
  }

  @Test func `types and variables share names, uids and sync only`() {
    let shared = Annotation.ofTypes.intersection(Annotation.ofVariables)
    #expect(shared == ["externalName", "name", "sync", "uid"])
    #expect(Annotation.all.allSatisfy { !$0.places.isEmpty })
  }

  @Test func `what an annotation excludes exists`() {
    for annotation in Annotation.all {
      #expect(annotation.excluded.allSatisfy { Annotation.named($0) != nil })
    }
  }

  @Test func `advice names the words that are taken`() {
    for rule in SchemaDeleteRule.allCases {
      #expect(Annotation.usage("onDelete").contains("\"\(rule)\""))
    }
    for collation in SchemaCollation.allCases {
      #expect(Annotation.usage("collation").contains("\"\(collation)\""))
    }
    for (name, keys) in Annotation.all.map({ ($0.name, $0.keys) }) where !keys.isEmpty {
      let usage = Annotation.usage(name)
      #expect(usage.isEmpty || keys.contains { usage.contains($0) })
    }
  }
}
