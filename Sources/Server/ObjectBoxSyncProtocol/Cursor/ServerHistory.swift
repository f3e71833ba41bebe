/// The past of the server: its epoch, its timelines and its swept log.
package struct ServerHistory: Hashable, Sendable {
  /// The end of a timeline.
  package struct Switch: Hashable, Sendable {
    /// The timeline that ended.
    package let timeline: UInt32
    /// The position in the write-ahead log up to which the next timeline has the same commits.
    package let position: UInt64

    /// Creates the end of a timeline.
    package init(timeline: UInt32, position: UInt64) {
      self.timeline = timeline
      self.position = position
    }
  }

  /// The present epoch.
  package var epoch: Epoch
  /// The ends of earlier timelines, in ascending order.
  package var switches: [Switch]
  /// The changes of transactions below this number are no longer in the log.
  ///
  /// The server sweeps only below all transactions in progress: a transaction in progress may still
  /// log changes.
  package var sweptBelow: UInt64
  /// The first transaction number that was not assigned.
  package var next: UInt64

  /// Creates a history.
  package init(
    epoch: Epoch,
    switches: [Switch] = [],
    sweptBelow: UInt64 = 0,
    next: UInt64 = .max
  ) {
    self.epoch = epoch
    self.switches = switches
    self.sweptBelow = sweptBelow
    self.next = next
  }

  /// Returns true if the log has all changes that the cursor has not seen.
  ///
  /// A cursor beyond the present numbers is from before the database's files were replaced by an older copy without
  /// recovery, which would have begun a new timeline.
  package func continues(_ cursor: Cursor) -> Bool {
    guard isOfThisHistory(cursor) || !ProtocolRule.epochs.holds else { return false }
    guard cursor.snapshot.xmax > 0, cursor.snapshot.xmax <= next else { return false }
    return cursor.snapshot.seesAll(below: sweptBelow) || !ProtocolRule.sweptLog.holds
  }

  private func isOfThisHistory(_ cursor: Cursor) -> Bool {
    if cursor.epoch == epoch { return true }
    guard cursor.epoch.system == epoch.system, cursor.epoch.database == epoch.database else {
      return false
    }
    // Every switch after the cursor's timeline must keep the cursor's commits.
    let later = switches.filter { $0.timeline >= cursor.epoch.timeline }
    return later.first?.timeline == cursor.epoch.timeline
      && later.allSatisfy { cursor.position <= $0.position }
  }
}
