internal import ObjectBoxStorage

/// The places that blocks are called back in, one for each actor or queue, as long as somebody needs it.
///
/// A class, since it guards shared state.
final class PlaceTable: Sendable {
  private struct Weak {
    weak let place: Place?
  }

  private let places = Guarded<[ObjectIdentifier: Weak]>([:])

  /// Returns the place of an actor; nil for none.
  func place(of actor: (any Actor)?) -> Place? {
    guard let actor else { return nil }
    return place(ObjectIdentifier(actor)) { Place(actor) }
  }

  func place(of queue: SerialQueue) -> Place {
    place(ObjectIdentifier(queue)) { Place(queue) }
  }

  private func place(_ key: ObjectIdentifier, make: () -> Place) -> Place {
    places.withLock { places in
      if let place = places[key]?.place { return place }
      let place = make()
      places = places.filter { $0.value.place != nil }
      places[key] = Weak(place: place)
      return place
    }
  }
}
