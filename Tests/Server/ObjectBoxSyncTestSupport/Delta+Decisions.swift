package import ObjectBoxSyncProtocol

extension Delta {
  /// Makes a delta that tells a device the same decision about each transaction of an upload.
  ///
  /// - Parameters:
  ///   - deltaRequest: The device's request.
  ///   - upload: The transactions.
  ///   - decision: The decision.
  package init(answering deltaRequest: DeltaRequest, deciding upload: Upload, _ decision: Decision)
  {
    self.init(
      state: deltaRequest.state,
      cursor: Cursor(
        snapshot: TransactionSnapshot(xmax: 100, inProgress: []),
        epoch: Epoch(system: 1, database: 1, timeline: 1),
        position: 1
      ),
      scopes: ScopeProgress(),
      leaves: [],
      rows: RowBatch(),
      decisions: upload.transactions.map {
        SequencedDecision(sequence: $0.sequence, token: $0.token, decision: decision)
      }
    )
  }
}
