import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

struct RoundTripTests {
  private let folder: TemporaryDirectory
  private let store: Store

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
  }

  @Test func `converted values and FlexBuffers are read as they were put`() throws {
    let object = Everything()
    object.flex = Data([1, 2])
    object.price = Money(cents: -7)
    object.default = "a\0b"
    try store.box(for: Everything.self).put(object)
    store.close()
    let reopened = try Store(directoryPath: folder.path + "/store")
    let read = try #require(try reopened.box(for: Everything.self).get(1))
    #expect(read.flex == object.flex && read.price == object.price)
    #expect(read.default == object.default)
  }

  @Test func `a store is opened with a configuration`() throws {
    var configuration = Store.Configuration(directory: folder.path + "/store")
    configuration.sharesOpenStore = true
    configuration.maxDbSizeInKByte = 1024 * 1024
    let shared = try Store(configuration: configuration)
    _ = try store.box(for: Nothing.self).put(struct: .empty())
    #expect(try shared.box(for: Nothing.self).count() == 1)
  }

  @Test func `put of structs returns copies with their IDs`() throws {
    let box = store.box(for: Library.Shelf.self)
    let shelves = try box.put(structs: [
      Library.Shelf(number: 0, label: "A"), Library.Shelf(number: 0, label: "B"),
    ])
    #expect(shelves.map(\.number) == [1, 2])
    #expect(try box.get(shelves[1].number)?.label == "B")
  }

  @Test func `an unknown raw value becomes the default`() throws {
    let box = store.box(for: Everything.self)
    let object = Everything()
    object.color = .green
    try box.put(object)
    #expect(try box.query { .color == "green" }.build().count() == 1)
  }
}
