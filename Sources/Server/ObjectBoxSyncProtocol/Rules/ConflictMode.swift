/// The rule for concurrent updates of one object.
package enum ConflictMode: Hashable, Sendable {
  /// The last update that the server receives wins, by property.
  case arrival
  /// The object with the greatest stamp wins as a whole. Devices upload all properties.
  case objectClock
  /// The value with the greatest stamp wins, by property.
  case propertyClock
}
