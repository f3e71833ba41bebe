/// The observers of a cluster in this program.
struct ClusterChanges: Sendable {
  func didCommit() {}
  func close() {}
}
