// A transaction states that it is not Sendable, so that the compiler says what to pass instead.

@available(
  *,
  unavailable,
  message: """
    a transaction stays in its block: pass IDs or objects, and begin another transaction there
    """
)
extension ReadTransaction: Sendable {}
