public import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Entities with more access than the target's visibility.
struct PublicEntityTests {
  @Test func `public and internal entities of one target are stored and found together`() throws {
    let folder = try TemporaryDirectory()
    let store = try Store(directoryPath: folder.path + "/store")
    let owner = ShelfOwner()
    owner.name = "Ada"
    let shelf = PublicShelf()
    shelf.name = "left"
    shelf.room = 7
    shelf.owner.target = owner
    let shelves = store.box(for: PublicShelf.self)
    try shelves.put(shelf)
    let box = PublicBox(id: 0, shelf: ToOne(shelf), label: "books")
    let stored = try store.box(for: PublicBox.self).put(struct: box)
    #expect(stored.id != 0)
    let found = try shelves.query { .room == 7 && .name == "left" }
      .link(PublicShelf.owner) { .name == "Ada" }
      .link(PublicShelf.boxes) { .label == "books" }.build().findUnique()
    #expect(found?.id == shelf.id)
    #expect(found?.boxes.map(\.label) == ["books"])
  }
}

/// A public type, so the compiler checks the access of the bindings in its declarations.
public struct ShownShelf {
  /// The property `name`.
  public var names: Property<PublicShelf, String, Void> { PublicShelf.name }
  /// The relation `boxes`.
  public var boxes: ToManyProperty<PublicBox> { PublicShelf.boxes }
  package var owners: Property<ShelfOwner, String, Void> { ShelfOwner.name }
}
