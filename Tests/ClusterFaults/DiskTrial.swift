import Foundation
import ObjectBoxCluster

/// Writes until the disk of the server is full, and goes on when there is room again.
enum DiskTrial {
  /// Runs the trial on a server whose default tablespace is on a small disk.
  ///
  /// - Returns: True when the error was told, nothing was half done, and writes went on afterwards.
  static func run(address: String) async throws -> Bool {
    var configuration = Cluster.Configuration(address)
    configuration.schema = "disk \(UUID().uuidString)"
    let cluster = try await Cluster(configuration: configuration)
    let table = cluster.tableName(of: "Transfer")
    let ballast = table.replacing("\"Transfer\"", with: "\"ballast\"")
    let fill =
      "INSERT INTO \(table) (id, source, target, amount) SELECT i, 1, 2, 3 FROM generate_series($1, $1 + 9999) i"
    // Gives room when it goes: the server needs some to remove rows.
    _ = try await cluster.run(
      "CREATE TABLE \(ballast) AS SELECT repeat(i::text, 100) FROM generate_series(1000, 9000) i"
    )
    var batches: Int64 = 0
    var findings: [String] = []
    do {
      while batches < 100_000 {
        try await cluster.write { _ = try await $0.run(fill, [batches * 10_000 + 1]) }
        batches += 1
      }
      findings.append("the disk was never full")
    } catch ClusterError.diskFull {
    } catch {
      findings.append("another error: \(error)")
    }
    let count = try await cluster.run("SELECT count(*) FROM \(table)")[0][0]
    if count != batches * 10_000 { findings.append("\(count) rows after \(batches) batches") }
    _ = try await cluster.run("DROP TABLE \(ballast)")
    try await cluster.write { _ = try await $0.run(fill, [batches * 10_000 + 1]) }
    let again = try await cluster.run("SELECT count(*) FROM \(table)")[0][0]
    if again != count + 10_000 { findings.append("\(again) rows after there was room again") }
    print("disk: full after \(batches) transactions of 10,000 rows; \(findings.count) findings")
    for finding in findings { print("  FINDING \(finding)") }
    await cluster.close()
    return findings.isEmpty
  }
}
