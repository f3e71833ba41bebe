/// A rule that the promise of synchronization depends on.
///
/// The trials remove each rule in turn and expect their checker to notice. Only a build with `-DSYNC_MUTATIONS` can
/// remove rules. In any other build ``holds`` is the constant true, so that the compiler removes the alternatives.
package enum ProtocolRule: String, CaseIterable, Sendable {
  /// The server applies an uploaded transaction once, however often it arrives.
  case idempotency
  /// Uploads are compared by random tokens, because sequence numbers repeat on restored devices.
  case tokens
  /// A transaction must follow the previous transaction of its device.
  case previousTokens
  /// The server applies no transaction before the preceding one.
  case gaps
  /// Waiting transactions are applied again over each delta.
  case rebase
  /// A write leaves the queue with the delta that contains its effects, not with the server's answer.
  case confirmationByDelta
  /// A cursor lists the transactions in progress.
  case transactionsInProgress
  /// A cursor passes no number that a crash of the database may assign again.
  case durableNumbers
  /// The log has the rule properties before a change, so that a row can leave a rule.
  case valuesBefore
  /// A row enters a rule by its current values, not by logged ones.
  case currentRow
  /// A cursor that lacks changes of a swept part of the log is reset.
  case sweptLog
  /// A cursor of another epoch is reset.
  case epochs
  /// A reset keeps the waiting transactions.
  case resetKeepsQueue
  /// A device that has confirmed more than the server knows takes a new identity.
  case lostConfirmations
  /// A device learns that the server may have lost decided transactions, which are not uploaded again.
  case doubtedCommits
  /// A taken ID is renumbered.
  case renumbering
  /// A reference to an unconfirmed object carries the making transaction.
  case makers
  /// Waiting operations follow objects that a decision gave another identity.
  case renames
  /// A waiting operation uses the identity that the decision gave its object.
  case toldIdentities
  /// An operation compares the origin ID of the row that it meets.
  case originIDs
  /// The ID of a removed object stays taken.
  case tombstonesKeepIDs
  /// Clamped times of one device stay increasing.
  case increasingClamp
  /// Times from the future are cut down.
  case clamp
  /// A clamped time stays after the times that the device has seen, including times of servers with other clocks.
  case seenTimes
  /// A decided transaction keeps its time under a new device identity, and later ones stay after it.
  case decidedTimes
  /// A delta is applied only to the state that it was made for.
  case deltaState
  /// The tokens in a delta's decisions are compared before any of it is applied.
  case decisionTokens
  /// A device forecasts unique conflicts with the server's own function.
  case uniqueForecast
  /// The removal of a pair takes only the addition that the device saw.
  case pairsSeen
  /// Rows above the progress of a scope that is not complete stay out of deltas.
  case progress
  /// Links of rules lead to the targets in the state of each delta.
  case resolvedLinks
  /// Targets stay known only as long as the log has all changes since they were searched.
  case knownTargets
  /// A device drops the rows of rules that it lost.
  case lostRules
  /// A removed object loses the pairs that lead to it.
  case pairsOfTargets
  /// The object clock compares stamps.
  case objectStamps
  /// The property clock compares stamps.
  case propertyStamps
  /// A device's clock advances past the stamps that it receives.
  case receivedStamps
  /// A fork numbers the waiting transactions from 1 under the new identity.
  case forkRenumbers
  /// An update contains what its program saw, including earlier waiting writes.
  case bases
  /// The function that resolves conflicts is called only for rows that the device had not seen.
  case unseenRows
  /// Writes are checked against the rights of the user.
  case permission
  /// A decision is sent to a device until the device confirms it.
  case decisionsUntilConfirmed
  /// A device that waits for a forgotten decision takes a new identity.
  case forgottenDecisions
  /// A transaction from before the server's retention limit is not applied: the server may have applied it already.
  case retentionLimit
  /// Digests also cover ranges in which the server has no objects any more.
  case digestsOfEmptyRanges
  /// The delta that ends a comparison contains the changes since the first digests were compared.
  case comparedChanges
  /// A comparison continues with the scopes that it began with, except scopes that were lost since.
  case comparedScopes
  /// A comparison begins again if the log does not go back to its start.
  case comparedHistory
  /// A comparison begins again if the server has another epoch than in the reset.
  case comparedEpoch
  /// A device forgets the rows above the progress of a scope that a delta lowers.
  case loweredProgress
  /// A device compares its rows again when it lacks values of properties that it shares with the server.
  case gainedProperties
  /// A device ignores answers from before a change of the parts that it shares with the server.
  case modelEditions
  /// Neither bases nor unchanged properties of an update contain values that the device never received.
  case unreceivedProperties
  /// A transaction with parts that the server's model lacks waits.
  case unknownParts
  /// Digests leave out parts that device and server do not share.
  case sharedDigests
  /// A device shows the parts of a reset with the delta that ends the comparison, not before.
  case stagedParts
  /// Only a device that has staged the same parts takes the answers of a comparison.
  case stagingAreaKeys
  /// A scope that was lost during a comparison is filled after it, so that the device drops its old objects.
  case fillsAfterComparison
  /// Objects of staged parts that changed again are sent, whatever the device's rows without the parts are.
  case changedParts
  /// A device continues after its staged parts when the server divides the changes again.
  case continuedStagingAreas
  /// A comparison begins again if the server has lost a state that a part may be from.
  case stagedHistory

  #if SYNC_MUTATIONS
    /// The rules that this process has removed.
    ///
    /// Set once before any trial runs, on the only thread of the program.
    nonisolated(unsafe) package static var removed: Set<ProtocolRule> = []
    /// True while ``removed`` is empty.
    nonisolated(unsafe) package static var isComplete = true

    /// True unless the rule is removed.
    package var holds: Bool {
      Self.isComplete || !Self.removed.contains(self)
    }
  #else
    /// True: only builds of the trials can remove rules.
    @inline(__always) package var holds: Bool { true }
  #endif
}
