/// The scopes of a device, each with the progress of its first fill.
///
/// A new scope is filled by ascending IDs over several cuts. Objects up to the mark are exact at each
/// cut; objects above it have not been sent.
package struct ScopeMarks: Hashable, Sendable {
  /// The progress of a first fill.
  package enum Mark: Hashable, Sendable {
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
    package var mark: Mark
  }

  /// The scopes in the order of their grants.
  package private(set) var elements: [Element] = []

  /// Creates marks without scopes.
  package init() {}

  /// The progress of a scope, or nil if the device does not have the scope.
  package subscript(scope: Scope) -> Mark? {
    get { elements.first { $0.scope == scope }?.mark }
    set {
      let index = elements.firstIndex { $0.scope == scope }
      switch (newValue, index) {
      case (let mark?, let index?): elements[index].mark = mark
      case (let mark?, nil): elements.append(Element(scope: scope, mark: mark))
      case (nil, let index?): elements.remove(at: index)
      case (nil, nil): break
      }
    }
  }

  /// True if every scope was sent.
  package var isComplete: Bool {
    elements.allSatisfy { $0.mark == .complete }
  }

  /// Returns the marks for the granted scopes: known ones as they are, new ones at their start.
  package func restricted(to granted: [Scope]) -> Self {
    var marks = Self()
    for scope in granted { marks[scope] = self[scope] ?? .filled(upTo: 0) }
    return marks
  }

  /// Returns true if a device with the earlier marks may have objects that these do not contain.
  package func areLower(than earlier: Self) -> Bool {
    earlier.elements.contains { element in
      switch (self[element.scope], element.mark) {
      case (nil, _): ProtocolRule.lostRules.holds
      case (.complete?, _): false
      case (.filled?, .complete): ProtocolRule.loweredMarks.holds
      case (.filled(let id)?, .filled(let before)): id < before && ProtocolRule.loweredMarks.holds
      }
    }
  }

  /// Returns true if a device with these marks has the object.
  package func contain(_ values: PropertyList<PropertyValue>, at key: ObjectKey) -> Bool {
    elements.contains { element in
      guard element.scope.matches(key.entity, values) else { return false }
      guard case .filled(let id) = element.mark, ProtocolRule.marks.holds else { return true }
      return key.id <= id
    }
  }

  /// Returns true if some scope matches the values, whatever its progress.
  package func match(_ values: PropertyList<PropertyValue>, of entity: EntityUID) -> Bool {
    elements.contains { $0.scope.matches(entity, values) }
  }
}
