/// The objects of one entity that changed with a synchronisation.
public struct SyncChange: Sendable, Hashable {
  /// The IDs of new and changed objects.
  public var puts: [Id]
  /// The IDs of removed objects.
  public var removals: [Id]

  /// Makes a change.
  public init(puts: [Id], removals: [Id]) {
    self.puts = puts
    self.removals = removals
  }
}
