package import ObjectBoxSyncProtocol

extension Cut {
  /// Makes a cut that tells a device the same decision about each transaction of an upload.
  ///
  /// - Parameters:
  ///   - want: The device's request.
  ///   - upload: The transactions.
  ///   - verdict: The decision.
  package init(answering want: Want, deciding upload: Upload, _ verdict: Verdict) {
    self.init(
      state: want.state,
      cursor: Cursor(
        snapshot: TransactionSnapshot(xmax: 100, inProgress: []),
        epoch: Epoch(system: 1, database: 1, timeline: 1),
        position: 1
      ),
      scopes: ScopeMarks(),
      leaves: [],
      rows: RowBatch(),
      verdicts: upload.transactions.map {
        SequencedVerdict(sequence: $0.sequence, token: $0.token, verdict: verdict)
      }
    )
  }
}
