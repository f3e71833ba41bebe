/// The scopes of a device, each with the progress of its first fill.
///
/// A new scope is filled by ascending IDs over several deltas. Each delta makes objects up to the reached ID exact;
/// objects above it have not been sent.
package struct ScopeProgress: Sendable {
  /// The progress of a first fill.
  package enum Progress: Hashable, Sendable {
    /// Objects with IDs up to this ID were sent.
    case filled(upTo: UInt64)
    /// All objects were sent.
    case complete
  }

  /// A scope and its progress.
  package struct Element: Hashable, Sendable {
    /// The scope.
    package let scope: Scope
    /// Its progress.
    package var progress: Progress
  }

  /// The number of scopes from which on ``places`` are faster than a search.
  private static let searchLimit = 16

  /// The scopes, in the order in which they were granted.
  package private(set) var elements: [Element] = []
  /// The places of ``elements``; nil for few of them.
  private var places: ScopePlaces?

  /// Creates the progress of no scopes.
  package init() {}

  /// Creates progress of scopes that were sent.
  package init(complete scopes: some Sequence<Scope>) {
    for scope in scopes { self[scope] = .complete }
  }

  /// The progress of a scope, or nil if the device does not have the scope.
  package subscript(scope: Scope) -> Progress? {
    get { place(of: scope).map { elements[$0].progress } }
    set {
      let place = place(of: scope)
      switch (newValue, place) {
      case (let progress?, let place?): elements[place].progress = progress
      case (let progress?, nil):
        elements.append(Element(scope: scope, progress: progress))
        if places != nil {
          places?.add(scope, at: elements.count - 1)
        } else if elements.count == Self.searchLimit {
          updatePlaces()
        }
      case (nil, let place?):
        elements.remove(at: place)
        updatePlaces()
      case (nil, nil): break
      }
    }
  }

  private func place(of scope: Scope) -> Int? {
    if let places { return places[scope] }
    return elements.firstIndex { $0.scope == scope }
  }

  private mutating func updatePlaces() {
    places = nil
    guard elements.count >= Self.searchLimit else { return }
    var places = ScopePlaces()
    for (place, element) in elements.enumerated() { places.add(element.scope, at: place) }
    self.places = places
  }

  /// True if every scope was sent.
  package var isComplete: Bool {
    elements.allSatisfy { $0.progress == .complete }
  }

  /// Returns the progress of the granted scopes: known scopes keep theirs, new ones are at the start.
  package func restricted(to granted: [Scope]) -> Self {
    // The granted scopes seldom change.
    if elements.count == granted.count, zip(elements, granted).allSatisfy({ $0.scope == $1 }) {
      return self
    }
    var progress = Self()
    for scope in granted { progress[scope] = self[scope] ?? .filled(upTo: 0) }
    return progress
  }

  /// Returns true if a device with the earlier progress may have objects that this progress does not include.
  package func areLower(than earlier: Self) -> Bool {
    earlier.elements.contains { element in
      switch (self[element.scope], element.progress) {
      case (nil, _): ProtocolRule.lostRules.holds
      case (.complete?, _): false
      case (.filled?, .complete): ProtocolRule.loweredProgress.holds
      case (.filled(let id)?, .filled(let before)):
        id < before && ProtocolRule.loweredProgress.holds
      }
    }
  }

  /// Returns true if a device with this progress has the object.
  package func contain(_ values: PropertyList<PropertyValue>, at key: ObjectKey) -> Bool {
    contains(values, at: key) { element in
      guard case .filled(let id) = element.progress, ProtocolRule.progress.holds else {
        return true
      }
      return key.id <= id
    }
  }

  /// Returns true if some scope matches the values, whatever its progress.
  package func match(_ values: PropertyList<PropertyValue>, at key: ObjectKey) -> Bool {
    contains(values, at: key) { _ in true }
  }

  /// Returns true if a test accepts a scope that matches the values.
  private func contains(
    _ values: PropertyList<PropertyValue>,
    at key: ObjectKey,
    where test: (Element) -> Bool
  ) -> Bool {
    guard let places else {
      return elements.contains { $0.scope.matches(key, values) && test($0) }
    }
    return places.contains(values, at: key) { place in
      elements[place].scope.matches(key, values) && test(elements[place])
    }
  }
}

extension ScopeProgress: Hashable {
  package static func == (left: Self, right: Self) -> Bool { left.elements == right.elements }

  package func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}
