/// The places that blocks are called back in, one for each actor or queue, as long as somebody needs it.
extension WeakTable<ObjectIdentifier> {
  /// Returns the place of an actor; nil for none.
  func place(of actor: (any Actor)?) -> Place? {
    guard let actor else { return nil }
    return object(ObjectIdentifier(actor)) { Place(actor) }
  }

  func place(of queue: SerialQueue) -> Place {
    object(ObjectIdentifier(queue)) { Place(queue) }
  }
}
