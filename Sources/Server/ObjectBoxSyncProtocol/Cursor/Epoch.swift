/// A history of transaction numbers: numbers of different epochs do not compare.
package struct Epoch: Hashable, Sendable {
  /// The system identifier of the database cluster.
  package let system: UInt64
  /// The OID of the database.
  package let database: UInt32
  /// The timeline, which a promotion and a restored backup increase.
  package let timeline: UInt32

  /// Creates an epoch.
  package init(system: UInt64, database: UInt32, timeline: UInt32) {
    self.system = system
    self.database = database
    self.timeline = timeline
  }
}
