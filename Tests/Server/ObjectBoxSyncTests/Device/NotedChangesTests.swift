@testable import ObjectBox
import ObjectBoxTestSupport
import Testing

@Suite struct NotedChangesTests {
  @Test(arguments: 1...40)
  func `changes noted for a participant are those that listeners hear of`(seed: Int) {
    var random = SplitMix(seed: seed)
    var (heard, noted, later) = (EntityChanges(), EntityChanges(), EntityChanges())
    var id: UInt64 = 0
    // Most IDs ascend, as in puts of many objects.
    for step in 0..<Int.random(in: 0...60, using: &random) {
      id = Int.random(in: 0..<20, using: &random) == 0 ? 1 : id + .random(in: 1...3, using: &random)
      let properties = PropertySet(index: Int.random(in: 0..<4, using: &random))
      let change = random.pick([EntityChanges.Change.inserted, .updated(properties), .removed])
      if step > 30, seed.isMultiple(of: 5), step.isMultiple(of: 13) {
        heard.noteRemovalOfAll()
        noted.noteRemovalOfAll()
      }
      heard.note(change, of: id)
      noted.noteForParticipant(change, of: id)
      later.noteForParticipant(change, of: id + 2)
    }
    #expect(noted.objects == heard.objects)
    #expect(noted.isEmpty == heard.isEmpty)
    #expect(noted.objectsByID.map(\.id) == heard.objects.keys.sorted())
    #expect(noted.objectsByID.allSatisfy { heard.objects[$0.id] == $0.change })
    heard.formUnion(later)
    noted.formUnion(later)
    #expect(noted.objects == heard.objects)
  }
}
