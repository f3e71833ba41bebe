/// A relation of an object in memory; for the library itself.
public protocol __RelationMember {
  /// The type itself.
  associatedtype __Itself
  /// The relation itself.
  var __itself: __Itself { get }
}

extension ToMany: __RelationMember {
  /// The type itself; for the library itself.
  public typealias __Itself = ToMany<S>

  /// The relation itself; for the library itself.
  public var __itself: ToMany<S> { self }
}

extension ToOne: __RelationMember {
  /// The type itself; for the library itself.
  public typealias __Itself = ToOne<T>

  /// The relation itself; for the library itself.
  public var __itself: ToOne<T> { self }
}

// A handle must not return the relation of an instance, whose changes would have no effect. The compiler
// falls back to these subscripts when a member is used as a relation, such as `order.customer.target`; two of
// them fit equally, so that the use does not compile. The subscript for all members fits less than these.

extension FrozenObject {
  /// Relations of a frozen object do not change; a to-one property is a `FrozenObject?`.
  @_disfavoredOverload
  public subscript<M: __RelationMember>(dynamicMember unchangeable: KeyPath<E, M>) -> M {
    readable[keyPath: unchangeable]
  }

  /// Relations of a frozen object do not change; a to-many property is a ``FrozenResults``.
  @_disfavoredOverload
  public subscript<M: __RelationMember>(
    dynamicMember unchangeable: KeyPath<E, M>
  ) -> M.__Itself {
    readable[keyPath: unchangeable].__itself
  }
}

extension LiveObject {
  /// To-one relations of a live object are changed by `set`; a to-one property is a `LiveObject?`.
  @_disfavoredOverload
  public subscript<M: __RelationMember>(dynamicMember changedBySet: KeyPath<E, M>) -> M {
    member(changedBySet)
  }

  /// To-many relations of a live object are changed by the functions of ``LiveRelation``.
  @_disfavoredOverload
  public subscript<M: __RelationMember>(
    dynamicMember changedByLiveRelation: KeyPath<E, M>
  ) -> M.__Itself {
    member(changedByLiveRelation).__itself
  }
}
