public import ObjectBox

// A handle must not return the relation of an instance: changes of it would have no effect. The
// compiler falls back to these subscripts when a member is used as a relation, as in
// `order.customer.target`. Only their accessors are unavailable: instead of an unavailable
// subscript the compiler would take the subscript for all members, and compile.

extension FrozenObject {
  /// Does not compile: a to-many property of a frozen object is a ``FrozenResults``, which does not
  /// change.
  @_disfavoredOverload
  public subscript<T>(dynamicMember member: KeyPath<E, ToMany<T>>) -> ToMany<T> {
    @available(
      *,
      unavailable,
      message: """
        a to-many relation of a frozen object does not change: thaw the object, and change the \
        relation of the live object in a write; 'value()' has it as a ToMany
        """
    )
    get { readable[keyPath: member] }
    @available(
      *,
      unavailable,
      message: """
        a to-many relation of a frozen object does not change: thaw the object, and change the \
        relation of the live object in a write
        """
    )
    nonmutating set {}
  }

  /// Does not compile: a to-one property of a frozen object is an optional ``FrozenObject``.
  @_disfavoredOverload
  public subscript<T>(dynamicMember member: KeyPath<E, ToOne<T>>) -> ToOne<T> {
    @available(
      *,
      unavailable,
      message: """
        a to-one relation of a frozen object does not change, and reads as its target, without \
        'target': thaw the object, and write 'try object.set(\\.customer, to: customer)' in a \
        write
        """
    )
    get { readable[keyPath: member] }
    @available(
      *,
      unavailable,
      message: """
        a to-one relation of a frozen object does not change: thaw the object, and write 'try \
        object.set(\\.customer, to: customer)' in a write
        """
    )
    nonmutating set {}
  }
}

extension LiveObject {
  /// Does not compile: a to-many property of a live object is a ``LiveRelation``.
  @_disfavoredOverload
  public subscript<T>(dynamicMember member: KeyPath<E, ToMany<T>>) -> ToMany<T> {
    @available(
      *,
      unavailable,
      message: """
        a to-many relation of a live object is a LiveRelation: its 'append', 'insert', \
        'remove' and 'replace' take live objects and instances, so thaw a frozen object first; \
        'value()' has the relation as a ToMany
        """
    )
    get { self.member(member) }
    @available(
      *,
      unavailable,
      message: """
        a to-many relation of a live object is a LiveRelation: call its 'replace' in a write
        """
    )
    set {}
  }

  /// Does not compile: a to-one property of a live object is an optional ``LiveObject``.
  @_disfavoredOverload
  public subscript<T>(dynamicMember member: KeyPath<E, ToOne<T>>) -> ToOne<T> {
    @available(
      *,
      unavailable,
      message: """
        a to-one relation of a live object reads as its target, without 'target', and is set \
        in a write: 'try object.set(\\.customer, to: customer)'
        """
    )
    get { self.member(member) }
    @available(
      *,
      unavailable,
      message: """
        a to-one relation of a live object is set in a write: 'try object.set(\\.customer, to: \
        customer)'
        """
    )
    set {}
  }
}
