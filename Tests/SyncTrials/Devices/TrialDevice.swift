import ObjectBoxSyncProtocol

/// A device of a schedule, with what the checker knows about it.
final class TrialDevice {
  let number: Int
  let user: Int
  let skew: Int64
  var device: Device<TrialStore>
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
}

/// A property of one object for all time.
struct ShownProperty: Hashable {
  let object: ObjectIdentity
  let property: PropertyUID
}
