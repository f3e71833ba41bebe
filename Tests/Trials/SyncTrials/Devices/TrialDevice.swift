import ObjectBoxSyncProtocol

/// A device of a schedule, with what the checker knows about it.
final class TrialDevice {
  let number: Int
  let user: Int
  let skew: Int64
  var device: Device<TrialStore>
  /// The model of the server that the device is connected with.
  var server = Age.first
  /// The values that the program has seen, in order, by object and property.
  var shown: [ShownProperty: [Int64]] = [:]
  /// Objects whose forecasts were wrong, so that their values may flicker.
  var flickering: Set<ObjectKey> = []

  init(number: Int, user: Int, skew: Int64, device: Device<TrialStore>) {
    self.number = number
    self.user = user
    self.skew = skew
    self.device = device
  }

  /// The model of the program.
  var age: Age { device.store.age }

  /// Remembers the objects of a transaction whose forecast may change.
  func expectFlicker(of waiting: WaitingTransaction) {
    flickering.formUnion(waiting.transaction.operations.map(\.key))
    guard case .merged(_, let identities) = waiting.forecast else { return }
    flickering.formUnion(identities.compactMap(\.identity?.key))
  }
}

/// A property of one object for all time.
struct ShownProperty: Hashable {
  let object: ObjectIdentity
  let property: PropertyUID
}
