/// Values by property UID, in ascending order of UIDs.
///
/// A sorted array: entities have few properties, so a dictionary would cost more.
package struct PropertyList<Value: Hashable & Sendable>: Hashable, Sendable {
  /// A property and its value.
  package struct Element: Hashable, Sendable {
    /// The property.
    package let property: PropertyUID
    /// The value.
    package var value: Value
  }

  /// The elements in ascending order of UIDs.
  package private(set) var elements: [Element] = []

  /// Creates an empty list.
  package init() {}

  /// Creates a list of the given properties; the last of several values of one property counts.
  package init(_ pairs: [(PropertyUID, Value)]) {
    elements.reserveCapacity(pairs.count)
    for (property, value) in pairs where !append(value, at: property) { self[property] = value }
  }

  /// True for a list without properties.
  package var isEmpty: Bool {
    elements.isEmpty
  }

  /// The value of a property, or nil; setting nil removes the property.
  package subscript(property: PropertyUID) -> Value? {
    get {
      for element in elements where element.property == property { return element.value }
      return nil
    }
    set {
      let index = elements.firstIndex { $0.property >= property } ?? elements.endIndex
      let isPresent = index < elements.endIndex && elements[index].property == property
      switch (newValue, isPresent) {
      case (let value?, true): elements[index].value = value
      case (let value?, false):
        elements.insert(Element(property: property, value: value), at: index)
      case (nil, true): elements.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// Reserves room for a number of properties.
  mutating func reserve(_ count: Int) { elements.reserveCapacity(count) }

  /// Adds a property after all others.
  ///
  /// - Returns: False if the list has this property or a greater one; the list is unchanged then.
  mutating func append(_ value: Value, at property: PropertyUID) -> Bool {
    if let last = elements.last, last.property >= property { return false }
    elements.append(Element(property: property, value: value))
    return true
  }

  /// Returns the list without the properties that do not satisfy the predicate.
  package func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
    var list = Self()
    list.elements = try elements.filter(isIncluded)
    return list
  }

  /// Sets all properties of another list.
  package mutating func merge(_ other: Self) {
    for element in other.elements { self[element.property] = element.value }
  }
}

extension PropertyList where Value == PropertyValue {
  /// Creates the values of an object.
  ///
  /// Not generic, since another module would run generic code unspecialized for each value.
  ///
  /// - Parameters:
  ///   - properties: The properties in ascending order.
  ///   - value: Returns the value of the property with the given index.
  package init(ascending properties: [PropertyUID], _ value: (Int) -> PropertyValue) {
    elements.reserveCapacity(properties.count)
    for (index, property) in properties.enumerated() {
      elements.append(Element(property: property, value: value(index)))
    }
  }
}
