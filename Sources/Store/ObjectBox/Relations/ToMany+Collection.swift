extension ToMany: RandomAccessCollection, RangeReplaceableCollection {
  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of objects; loads them.
  public var endIndex: Int { objects.count }

  /// The number of objects; loads them.
  public var count: Int { objects.count }

  /// Returns an iterator over the objects that the relation has now; loads them.
  public func makeIterator() -> IndexingIterator<[S]> { objects.makeIterator() }

  /// Passes the objects to a block, contiguous in memory; loads them.
  public func withContiguousStorageIfAvailable<R>(
    _ body: (UnsafeBufferPointer<S>) throws -> R
  ) rethrows -> R? {
    try objects.withContiguousStorageIfAvailable(body)
  }

  /// Returns the next index.
  public func index(after i: Int) -> Int { i + 1 }

  /// Returns the previous index.
  public func index(before i: Int) -> Int { i - 1 }

  /// The object at an index; loads the objects, and stops the process when they cannot be loaded.
  public subscript(position: Int) -> S { objects[position] }

  /// Replaces objects; the next put of the host or ``applyToDb()`` stores the change.
  ///
  /// - Parameters:
  ///   - subrange: The indices of the objects to remove.
  ///   - newElements: The objects to insert; new objects are put with the relation.
  public func replaceSubrange<C: Collection>(_ subrange: Range<Int>, with newElements: C)
  where C.Element == S {
    replaceObjects(subrange, with: newElements)
  }

  /// Replaces all objects; objects in both lists do not change.
  ///
  ///     note.tags.replace([history, science])
  ///     try notes.put(note)
  public func replace<C: Collection>(_ newElements: C) where C.Element == S {
    replaceObjects(nil, with: newElements)
  }

  /// Removes all objects from the relation; they stay in their box.
  public func removeAll(keepingCapacity keepCapacity: Bool = false) {
    replaceObjects(nil, with: EmptyCollection())
  }

  /// Removes the objects that match a predicate from the relation; they stay in their box.
  ///
  ///     note.tags.removeAll { $0.name == "draft" }
  ///     try notes.put(note)
  public func removeAll(where shouldBeRemoved: (S) throws -> Bool) rethrows {
    replaceObjects(nil, with: try objects.filter { try !shouldBeRemoved($0) })
  }
}

// The `+` of collections changes a copy, but the copy of a class is the relation itself.
extension ToMany {
  /// Returns a relation of no object that contains the relation's objects, then the others.
  public static func + <Other: Sequence>(relation: ToMany<S>, others: Other) -> ToMany<S>
  where Other.Element == S {
    let sum = ToMany<S>()
    sum.replace(relation.objects + Array(others))
    return sum
  }

  /// Returns a relation of no object that contains the relation's objects, then the others.
  public static func + <Other: RangeReplaceableCollection>(
    relation: ToMany<S>,
    others: Other
  ) -> ToMany<S> where Other.Element == S {
    let sum = ToMany<S>()
    sum.replace(relation.objects + Array(others))
    return sum
  }
}
