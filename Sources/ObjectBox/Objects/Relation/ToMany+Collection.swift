extension ToMany: RandomAccessCollection, RangeReplaceableCollection {
  /// The place of the first object.
  public var startIndex: Int { 0 }

  /// The place behind the last object; loads the objects.
  public var endIndex: Int { objects.count }

  /// The next place.
  public func index(after i: Int) -> Int { i + 1 }

  /// The place before.
  public func index(before i: Int) -> Int { i - 1 }

  /// The object at a place; loads the objects, and stops the process when that is not possible.
  public subscript(position: Int) -> S { objects[position] }

  /// Replaces objects; the next put of the host or ``applyToDb()`` makes the change lasting.
  ///
  /// - Parameters:
  ///   - subrange: The places of those that go.
  ///   - newElements: Those that come; objects that were never stored are put with the relation.
  public func replaceSubrange<C: Collection>(_ subrange: Range<Int>, with newElements: C)
  where C.Element == S {
    replaceObjects(subrange, with: newElements)
  }

  /// Replaces all objects; those that stay are no change.
  public func replace<C: Collection>(_ newElements: C) where C.Element == S {
    replaceObjects(nil, with: newElements)
  }

  /// Removes all objects from the relation; they stay in their box.
  public func removeAll(keepingCapacity keepCapacity: Bool = false) {
    replaceObjects(nil, with: EmptyCollection())
  }

  /// Removes the objects that the block says from the relation; they stay in their box.
  public func removeAll(where shouldBeRemoved: (S) throws -> Bool) rethrows {
    replaceObjects(nil, with: try objects.filter { try !shouldBeRemoved($0) })
  }
}

// What collections have for `+` would change a copy, which for a class is the relation itself.
extension ToMany {
  /// Returns a relation that belongs to no object, with the objects of a relation and others after them.
  public static func + <Other: Sequence>(relation: ToMany<S>, others: Other) -> ToMany<S>
  where Other.Element == S {
    let sum = ToMany<S>()
    sum.replace(relation.objects + Array(others))
    return sum
  }

  /// Returns a relation that belongs to no object, with the objects of a relation and others after them.
  public static func + <Other: RangeReplaceableCollection>(
    relation: ToMany<S>,
    others: Other
  ) -> ToMany<S> where Other.Element == S {
    let sum = ToMany<S>()
    sum.replace(relation.objects + Array(others))
    return sum
  }
}
