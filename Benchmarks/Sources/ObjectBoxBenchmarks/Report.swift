import Foundation

/// Prints measurements as `peer<TAB>workload<TAB>ns_per_op<TAB>ops_per_s`.
struct Report {
  var peer: String
  let repetitions: Int
  /// A part of the names of the workloads to run; empty runs all.
  var filter = ""
  var clock = Clock.day

  /// The quantity that is measured.
  enum Clock: String {
    /// The time of day.
    case day
    /// The processor time of the process, for a busy machine.
    case processor
    /// Nothing: prints the number of operations, for `instructions.sh`.
    case none
  }

  /// Runs a body several times and prints the median time of one operation.
  ///
  /// - Parameters:
  ///   - workload: Its name in the output.
  ///   - operations: The number of operations of one run.
  ///   - once: Whether the body can run only once.
  ///   - factor: Multiplies the number of runs, for bodies with few operations.
  ///   - body: One run.
  func time(
    _ workload: String,
    operations: Int,
    once: Bool = false,
    factor: Int = 1,
    _ body: () throws -> Void
  ) rethrows {
    guard isWanted(workload) else { return }
    var times: [Double] = []
    for _ in 0..<(once ? 1 : repetitions * factor) {
      times.append(try nanoseconds(body))
    }
    emit(workload, times, operations)
  }

  func isWanted(_ workload: String) -> Bool { filter.isEmpty || workload.contains(filter) }

  /// Prints the median time of one operation; `times` has each run's nanoseconds.
  func emit(_ workload: String, _ times: [Double], _ operations: Int) {
    guard isWanted(workload) else { return }
    if clock == .none {
      print("\(peer)\t\(workload)\t\(operations)\t\(times.count)")
      return
    }
    let median = Self.median(times) / Double(operations)
    print("\(peer)\t\(workload)\t\(Self.text(median, 2))\t\(Self.text(1e9 / median, 1))")
  }

  /// Prints a size or count.
  func emit(value: Double, _ workload: String) {
    guard isWanted(workload), clock != .none else { return }
    print("\(peer)\t\(workload)\t\(Self.text(value, 2))\t-")
  }

  /// Runs a body, and returns the nanoseconds that it took.
  func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
    switch clock {
    case .none:
      measuringBegins()
      defer { measuringEnds() }
      try body()
      return 0
    case .processor:
      let start = Self.processorTime()
      try body()
      return Self.processorTime() - start
    case .day:
      let parts = try ContinuousClock().measure(body).components
      return Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9
    }
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

/// Marks for callgrind, which counts the instructions between the two calls.
@inline(never) @_optimize(none)
private func measuringBegins() {}

@inline(never) @_optimize(none)
private func measuringEnds() {}

/// The error of a workload whose result is wrong.
struct WrongResult: Error, CustomStringConvertible {
  var description: String
}

func require(_ condition: Bool, _ text: String) throws {
  if !condition { throw WrongResult(description: text) }
}
