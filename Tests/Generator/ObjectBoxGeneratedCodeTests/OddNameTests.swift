import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

struct OddNameTests {
  private let folder: TemporaryDirectory
  private let store: Store

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
  }

  @Test func `entities and properties of any name are stored, found and related`() throws {
    let owner = E()
    owner.payload = Foundation.Data([1])
    owner.maybeDate = Foundation.Date(timeIntervalSince1970: 1)
    owner.count = 3
    try store.box(for: E.self).put(owner)
    let value = try store.box(for: V.self).put(
      struct: V(id: 0, `first name`: "Ada", class: 2, `2nd`: nil, owner: ToOne(owner))
    )
    let odd = R()
    odd.`the kind` = .odd
    odd.`to one`.target = owner
    odd.`to many`.append(value)
    owner.others.append(odd)
    try owner.others.applyToDb()

    let read = try #require(try store.box(for: E.self).get(owner.id))
    #expect(read.payload == Foundation.Data([1]))
    #expect(read.maybeDate == Foundation.Date(timeIntervalSince1970: 1))
    #expect(read.values.map(\.`first name`) == ["Ada"])
    let related = try #require(read.others.first)
    #expect(related.`the kind` == .odd)
    #expect(related.`to one`.targetId == owner.id)
    #expect(related.`to many`.map(\.class) == [2])
  }

  @Test func `conditions, orders and links take any name, with and without the entity's`() throws {
    let values = store.box(for: V.self)
    _ = try values.put(structs: [
      V(id: 0, `first name`: "b", class: 1, `2nd`: 5, owner: nil),
      V(id: 0, `first name`: "a", class: 2, `2nd`: nil, owner: nil),
    ])
    #expect(try values.query { V.`first name` == "a" }.build().findIds().map(\.value) == [2])
    #expect(try values.query { .class > 1 && .`first name` != "b" }.build().count() == 1)
    #expect(try values.query { V.`2nd`.isNil() }.build().findIds().map(\.value) == [2])
    let ordered = try values.query().ordered(by: V.`first name`).build()
    #expect(try ordered.findIds().map(\.value) == [2, 1])

    let odd = R()
    odd.`to one`.target = E()
    try store.box(for: R.self).put(odd)
    let linked = try store.box(for: R.self).query { R.`to one`.link { E.count == 0 } }.build()
    #expect(try linked.count() == 1)
    let dynamic = try store.box(named: "V").query { $0["first name"] == "a" }.build()
    #expect(try dynamic.findIds() == [2])
  }

  @Test func `entities whose own names need backticks are stored, found and related`() throws {
    let made = store.box(for: `self made`.self)
    let first = try made.put(struct: `self made`(id: 0, is: .other, next: nil))
    let second = try made.put(struct: `self made`(id: 0, is: .default, next: ToOne(first)))
    #expect(try made.get(first.id)?.is == .other)
    #expect(try made.query { .next == first.id }.build().findIds() == [second.id])
    #expect(try made.query { `self made`.is == 1 }.build().findIds() == [first.id])

    let inherited = `as`()
    inherited.count = 7
    try store.box(for: `as`.self).put(inherited)
    #expect(try store.box(for: `as`.self).get(inherited.id)?.count == 7)
    #expect(try store.box(for: `as`.self).query { .id == inherited.id }.build().count() == 1)
  }
}
