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

// A handle must not give away the relation of an instance: it could be changed without effect. The compiler
// falls back to these where a member is used as one, such as `order.customer.target`; both fit equally, so that
// it does not compile. Each returns the same as the subscript for all members, which fits less than these.

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
