/// Annotations of one declaration, by name.
package struct Annotations: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package var value: AnnotationValue
    /// Start of the name.
    package var position: SourcePosition
    /// Positions of the parts, as far as they are known.
    package var places = AnnotationPlaces()
    /// True for an item that comes from a region instead of the declaration's comments.
    package var isFromRegion = false
    /// Later items with the same name, for repeatable annotations.
    package var others: [Item] = []
  }

  package private(set) var items: [String: Item] = [:]
  /// Findings about the annotations themselves, on any declaration.
  package private(set) var diagnostics: [Diagnostic] = []

  /// Comments that look like annotations with a misspelt prefix.
  package var misspelt: [MisspeltPrefix] = []
  /// The prefix of annotations.
  package var prefix = "objectbox"

  package init() {}

  package subscript(name: String) -> Item? { items[name] }

  /// Names in alphabetical order.
  package var names: [String] { items.keys.sorted() }

  /// Returns whether an annotation has the given name.
  package func has(_ name: String) -> Bool { items[name] != nil }

  /// Adds an item.
  ///
  /// Equal values of one name count once, and dictionaries are merged. Other values become a list
  /// and a finding. A repeatable annotation keeps each item.
  mutating func add(
    _ name: String,
    _ value: AnnotationValue,
    at position: SourcePosition,
    places: AnnotationPlaces = AnnotationPlaces()
  ) {
    let new = Item(value: value, position: position, places: places)
    guard let old = items[name] else {
      items[name] = new
      return
    }
    if old.value == value || old.others.contains(where: { $0.value == value }) { return }
    if Annotation.repeatable.contains(name) {
      items[name]?.others.append(new)
      return
    }
    if case .dictionary(let first) = old.value, case .dictionary(let second) = value {
      items[name]?.value = .dictionary(first.merging(second) { $1 })
      items[name]?.places.members.merge(places.members) { $1 }
      return
    }
    if case .list(let values) = old.value {
      items[name]?.value = .list(values + [value])
    } else {
      items[name]?.value = .list([old.value, value])
    }
    let note = Diagnostic(.otherPlace, at: old.name)
    report(Diagnostic(.conflictingValues(name), at: new.name, notes: [note]))
  }

  /// Adds a region's known items whose names are not set yet.
  mutating func complete(with region: Annotations, known: Set<String>) {
    for (name, item) in region.items where known.contains(name) && items[name] == nil {
      items[name] = Item(
        value: item.value,
        position: item.position,
        isFromRegion: true,
        others: item.others
      )
    }
  }

  /// The annotations of the declaration's comments, without regions.
  var own: Self {
    var own = self
    own.removeThoseOfRegions()
    return own
  }

  /// The annotations of a base that apply to each entity below it: those that may be repeated.
  var inherited: Self {
    var inherited = Self()
    inherited.items = own.items.filter { Annotation.repeatable.contains($0.key) }
    return inherited
  }

  /// Removes items that come from regions.
  mutating func removeThoseOfRegions() {
    items = items.filter { !$0.value.isFromRegion }
  }

  mutating func report(_ diagnostic: Diagnostic) {
    diagnostics.append(diagnostic)
  }

  /// Adds the annotations of an extension.
  ///
  /// A later annotation replaces the earlier one of the same name, unless it comes from a region or
  /// is repeatable.
  mutating func merge(_ later: Annotations) {
    let repeatable = items.filter { Annotation.repeatable.contains($0.key) }
    items.merge(later.items) { $1.isFromRegion ? $0 : $1 }
    for (name, first) in repeatable where !first.isFromRegion {
      guard let added = later.items[name], !added.isFromRegion else { continue }
      items[name] = first
      for item in [added] + added.others {
        add(name, item.value, at: item.position, places: item.places)
      }
    }
    diagnostics += later.diagnostics
    misspelt += later.misspelt
    if !later.misspelt.isEmpty { prefix = later.prefix }
  }
}

extension DiagnosticMessage {
  static func conflictingValues(_ name: String) -> Self {
    warning(
      "annotation '\(name)' is given twice with different values, so neither counts; remove one"
    )
  }
}
