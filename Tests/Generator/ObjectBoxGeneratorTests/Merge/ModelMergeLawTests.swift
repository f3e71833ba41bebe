import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

/// Laws for merges of any two versions of any model.
struct ModelMergeLawTests {
  /// Changes a model at random, as the generator would: new elements get the next IDs.
  private struct Editor {
    var model: ModelDocument
    var random: SplitMix
    /// Different for each side, so that their UIDs differ.
    var nextUID: UInt64

    private mutating func uid() -> UInt64 {
      nextUID += 256
      return nextUID
    }

    mutating func edit() throws {
      let text = model.text
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try addEntity()
      case 1: try addProperty()
      case 2:
        // Renames any element; each editor uses its own names.
        let names = lines.indices.filter { lines[$0].contains("\"name\": ") }
        guard let line = names.randomElement(using: &random) else { return }
        let indentation = lines[line].prefix { $0 == " " }
        let end = lines[line].hasSuffix(",") ? "," : ""
        lines[line] = "\(indentation)\"name\": \"n\(uid())\"\(end)"
        model = try parse(lines.joined(separator: "\n"))
      default: removeProperty()
      }
    }

    private func parse(_ text: String) throws -> ModelDocument {
      let (model, diagnostics) = ModelDocument.parse(text, path: "m")
      return try #require(model, "\(diagnostics.map(\.description))")
    }

    private mutating func addEntity() throws {
      let (entity, property) = (uid(), uid())
      let id = model.lastEntityID.id + 1
      let made = try ObjectBoxGeneratorTests.model(
        "entity \(id):\(entity) E\(entity)\nproperty 1:\(property) id long flags 1"
      )
      model.entities += made.entities
      model.lastEntityID = ModelID(id: id, uid: entity)
    }

    private mutating func addProperty() throws {
      guard let index = model.entities.indices.randomElement(using: &random) else { return }
      let property = uid()
      let id = model.entities[index].lastPropertyID.id + 1
      let indexID = model.lastIndexID.id + 1
      let indexUID = uid()
      let made = try ObjectBoxGeneratorTests.model(
        "entity 1:999 E\nproperty \(id):\(property) p\(property) int flags 8 index \(indexID):\(indexUID)"
      )
      model.entities[index].properties += made.entities[0].properties
      model.entities[index].lastPropertyID = ModelID(id: id, uid: property)
      model.lastIndexID = ModelID(id: indexID, uid: indexUID)
    }

    private mutating func removeProperty() {
      guard let index = model.entities.indices.randomElement(using: &random),
        model.entities[index].properties.count > 1
      else { return }
      let gone = model.entities[index].properties.removeLast()
      model.retiredPropertyUIDs.append(gone.id.uid)
      if let index = gone.indexID { model.retiredIndexUIDs.append(index.uid) }
    }
  }

  private func versions(seed: Int) throws -> (
    base: ModelDocument, ours: ModelDocument, theirs: ModelDocument
  ) {
    var editor = Editor(
      model: ModelDocument(),
      random: SplitMix(seed: seed),
      nextUID: 0x1_0000_0000
    )
    for _ in 0..<6 { try editor.edit() }
    let base = editor.model
    var sides: [ModelDocument] = []
    for start: UInt64 in [0x2_0000_0000, 0x3_0000_0000] {
      editor.model = base
      editor.nextUID = start
      for _ in 0..<5 { try editor.edit() }
      sides.append(editor.model)
    }
    return (base, sides[0], sides[1])
  }

  private func merge(
    _ base: ModelDocument,
    _ ours: ModelDocument,
    _ theirs: ModelDocument
  ) -> ModelMerge.Result {
    ModelMerge.merge(
      base: base,
      ours: ours,
      theirs: theirs,
      places: ElementPlaces(text: ours.text, path: "m")
    )
  }

  private func uids(_ model: ModelDocument) -> Set<UInt64> {
    var uids: Set<UInt64> = []
    for entity in model.entities {
      uids.insert(entity.id.uid)
      for property in entity.properties {
        uids.insert(property.id.uid)
        if let index = property.indexID { uids.insert(index.uid) }
      }
    }
    return uids
  }

  @Test(arguments: 0..<TestLength.choose(short: 70, long: 200))
  func `a merge with an unchanged side is the other side, byte for byte`(seed: Int) throws {
    let (base, ours, _) = try versions(seed: seed)
    #expect(merge(base, ours, base).model?.text == ours.text)
    #expect(merge(base, base, ours).model?.text == ours.text)
    #expect(merge(base, ours, ours).model?.text == ours.text)
    #expect(merge(base, ours, base).diagnostics == [])
  }

  @Test(arguments: 0..<TestLength.choose(short: 70, long: 200))
  func `a merge keeps every UID, those that one side removed as retired ones`(seed: Int) throws {
    let (base, ours, theirs) = try versions(seed: seed)
    let result = merge(base, ours, theirs)
    guard let merged = result.model else {
      #expect(result.diagnostics.allSatisfy { $0.isError && $0.message.text.contains("conflict") })
      return
    }
    let retired = Set(
      merged.retiredEntityUIDs + merged.retiredPropertyUIDs + merged.retiredIndexUIDs
    )
    let living = uids(merged)
    #expect(uids(ours).union(uids(theirs)).subtracting(living).isSubset(of: retired))
    #expect(living.isDisjoint(with: retired))
    #expect(ModelDocument.parse(merged.text, path: "m").model?.text == merged.text)
    // IDs of ours never change, so stores of ours still open.
    for entity in ours.entities where living.contains(entity.id.uid) {
      #expect(merged.entities.contains { $0.id == entity.id })
    }
    let numbers = merged.entities.flatMap { $0.properties.compactMap(\.indexID?.id) }
    #expect(Set(numbers).count == numbers.count)
    #expect((numbers.max() ?? 0) <= merged.lastIndexID.id)
  }

  @Test(arguments: 0..<100)
  func `the other direction gives the same elements`(seed: Int) throws {
    let (base, ours, theirs) = try versions(seed: seed)
    let (one, other) = (merge(base, ours, theirs).model, merge(base, theirs, ours).model)
    #expect((one == nil) == (other == nil))
    #expect(one.map(uids) == other.map(uids))
  }
}
