import Foundation

// Counts how the cost of operations grows with their input: `GrowthTool [--keep] [--lane I/N] [WORD…]` runs the
// rows with one of the words in their names. Scripts/growth.sh runs it under callgrind. Exit codes: 0 when
// all keep their promises, 1 otherwise, 2 for a row that cannot run.

/// Prints a line at once.
func tell(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

var words = Array(CommandLine.arguments.dropFirst())
var lane = (number: 0, count: 1)
if words.first == "--keep" {
  InstructionCount.keepsFiles = true
  words.removeFirst()
}
if words.first == "--lane", words.count > 1 {
  let parts = words[1].split(separator: "/").compactMap { Int($0) }
  guard parts.count == 2, parts[0] < parts[1] else { exit(2) }
  lane = (parts[0], parts[1])
  words.removeFirst(2)
}
guard InstructionCount.isPossible else {
  tell("GrowthTool needs valgrind and its header; run Scripts/growth.sh")
  exit(2)
}
let rows = GrowthRow.all.filter { row in
  words.isEmpty || words.contains { row.name.contains($0) }
}.enumerated().filter { $0.offset % lane.count == lane.number }.map(\.element)
var broken = 0
for row in rows {
  let start = Date()
  let result: GrowthRow.Result
  do { result = try row.result() } catch {
    tell("error in '\(row.name)': \(error)")
    exit(2)
  }
  let isKept = result.exponent <= row.promise.limit
  if !isKept { broken += 1 }
  let costs = result.costs.map { String(format: "%.1f", Double($0) / 1e6) }.joined(separator: ", ")
  let exponent = String(format: "%.2f", result.exponent)
  let seconds = String(format: "%.0f", Date().timeIntervalSince(start))
  tell(
    "\(isKept ? "kept" : "BROKEN") \(exponent) of \(row.promise.limit) (\(row.promise.rawValue)): \(row.name); "
      + "\(costs) million instructions from \(row.size) on; \(seconds) s"
  )
}
if broken > 0 { tell("\(broken) of \(rows.count) operations cost more than promised") }
exit(broken > 0 ? 1 : 0)
