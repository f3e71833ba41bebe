import Foundation
import ObjectBox
import ObjectBoxCluster

/// Writes until the server's disk is full, and continues when there is space again.
enum DiskTrial {
  /// The number of objects of a transaction.
  private static let size = 10_000

  /// Runs the trial on a server whose default tablespace is on a small disk.
  ///
  /// - Returns: True when the error was reported, nothing was half done, and writes continued
  ///   afterwards.
  static func run(address: String) async throws -> Bool {
    var configuration = Cluster.Configuration(address)
    configuration.schema = "disk \(UUID().uuidString)"
    let cluster = try await Cluster(configuration: configuration)
    let transfers = cluster.box(for: Transfer.self)
    // Dropping this table frees space, which the server needs to remove rows.
    await Shell.sql(
      "CREATE TABLE ballast AS SELECT repeat(i::text, 100) FROM generate_series(1000, 9000) i",
      address
    )
    func fill(_ batch: Int) async throws {
      try await transfers.put(
        (1...size).map { number in
          Transfer(id: Id(batch * size + number), source: 1, target: 2, amount: 3)
        },
        mode: .insert
      )
    }
    var batches = 0
    var findings: [String] = []
    do {
      while batches < 100_000 {
        try await fill(batches)
        batches += 1
      }
      findings.append("the disk was never full")
    } catch ClusterError.diskFull {
    } catch {
      findings.append("another error: \(error)")
    }
    let count = try await transfers.count()
    if count != batches * size { findings.append("\(count) objects after \(batches) batches") }
    await Shell.sql("DROP TABLE ballast", address)
    try await fill(batches)
    let again = try await transfers.count()
    if again != count + size { findings.append("\(again) objects after there was room again") }
    print("disk: full after \(batches) transactions of \(size) objects; \(findings.count) findings")
    for finding in findings { print("  FINDING \(finding)") }
    await cluster.close()
    return findings.isEmpty
  }
}
