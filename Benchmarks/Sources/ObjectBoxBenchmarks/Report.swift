import Foundation

/// Prints measurements as `peer<TAB>workload<TAB>ns_per_op<TAB>ops_per_s`.
struct Report {
  var peer: String
  let repetitions: Int
  /// A part of the names of the workloads to run; all run when it is empty.
  var filter = ""
  /// Measures the processor time of the process instead of the time of day; for machines that are busy
  /// with other work.
  var measuresProcessorTime = false

  /// Runs a body several times and prints the median time of one operation.
  func time(_ workload: String, operations: Int, once: Bool = false, _ body: () throws -> Void)
    rethrows
  {
    guard isWanted(workload) else { return }
    var times: [Double] = []
    for _ in 0..<(once ? 1 : repetitions) {
      times.append(try nanoseconds(body) / Double(operations))
    }
    emit(workload, Self.median(times))
  }

  func isWanted(_ workload: String) -> Bool { filter.isEmpty || workload.contains(filter) }

  func emit(_ workload: String, _ nanoseconds: Double) {
    guard isWanted(workload) else { return }
    print("\(peer)\t\(workload)\t\(Self.text(nanoseconds, 2))\t\(Self.text(1e9 / nanoseconds, 1))")
  }

  /// Prints a size or count.
  func emit(value: Double, _ workload: String) {
    guard isWanted(workload) else { return }
    print("\(peer)\t\(workload)\t\(Self.text(value, 2))\t-")
  }

  func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
    if measuresProcessorTime {
      let start = Self.processorTime()
      try body()
      return Self.processorTime() - start
    }
    let duration = try ContinuousClock().measure(body)
    let parts = duration.components
    return Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  private static func text(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }
}

/// A check of a result; a benchmark of a wrong answer is worth nothing.
struct WrongResult: Error, CustomStringConvertible {
  var description: String
}

func require(_ condition: Bool, _ text: String) throws {
  if !condition { throw WrongResult(description: text) }
}
