internal import ObjectBox

// Confined types declare that they are not `Sendable`, so that the compiler says what to pass
// instead.

@available(
  *,
  unavailable,
  message: """
    a live view stays in its isolation: pass the store, which is Sendable, and call its 'live()' there
    """
)
extension LiveStore: Sendable {}

@available(
  *,
  unavailable,
  message: """
    a live object stays in its isolation: pass its 'id', the frozen object of 'freeze()', a \
    '@ThreadSafe' variable or a ThreadSafeReference
    """
)
extension LiveObject: Sendable {}

@available(
  *,
  unavailable,
  message: """
    live results stay in their isolation: pass the frozen results of 'freeze()' or a \
    ThreadSafeReference, or query again there
    """
)
extension LiveResults: Sendable {}
