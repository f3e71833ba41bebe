public import ObjectBox

// Entities of several accesses, in a target with the visibility `internal`.

// objectbox: entity
/// A public class with internal members.
public final class PublicShelf {
  /// The ID.
  public var id: Id = 0
  /// The name.
  public var name: String = ""
  var room: Int = 0
  // objectbox: backlink = "shelf"
  /// The boxes on the shelf.
  public var boxes: ToMany<PublicBox> = nil
  // Its target is less public than the shelf.
  var owner: ToOne<ShelfOwner> = nil

  /// Makes a shelf.
  public init() {}
}

// objectbox: entity
/// A public struct with an internal member.
public struct PublicBox {
  /// The ID.
  public var id: EntityId<PublicBox>
  /// The shelf that the box stands on.
  public var shelf: ToOne<PublicShelf>
  let label: String

  /// Makes a box.
  public init(id: EntityId<PublicBox>, shelf: ToOne<PublicShelf>, label: String) {
    self.id = id
    self.shelf = shelf
    self.label = label
  }
}

// objectbox: entity
package final class ShelfOwner {
  package var id: Id = 0
  package var name: String = ""

  package init() {}
}
