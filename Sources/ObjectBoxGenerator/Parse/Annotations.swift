/// The annotations of one declaration, by name.
package struct Annotations: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package var value: AnnotationValue
    /// Where its name begins.
    package var position: SourcePosition
  }

  package private(set) var items: [String: Item] = [:]

  package init() {}

  package subscript(name: String) -> Item? { items[name] }

  /// Returns whether the name is there, with whatever value.
  package func has(_ name: String) -> Bool { items[name] != nil }

  /// Adds an item; the same name twice collapses when the values are equal, merges dictionaries, and
  /// makes a list of different values.
  mutating func add(_ name: String, _ value: AnnotationValue, at position: SourcePosition) {
    guard let old = items[name] else {
      items[name] = Item(value: value, position: position)
      return
    }
    if old.value == value { return }
    let merged: AnnotationValue
    switch (old.value, value) {
    case (.dictionary(let first), .dictionary(let second)):
      merged = .dictionary(first.merging(second) { $1 })
    case (.list(let list), _): merged = .list(list + [value])
    default: merged = .list([old.value, value])
    }
    items[name]?.value = merged
  }

  /// Takes over the annotations of an extension; later ones replace those of the same name.
  mutating func merge(_ later: Annotations) {
    items.merge(later.items) { $1 }
  }
}
