import Foundation

/// An operation whose cost is counted at three sizes of its input.
struct GrowthRow {
  /// The growth of the cost that the documentation promises.
  enum Promise: String {
    /// Also for O(log n).
    case constant
    case linear
    /// O(n log n).
    case sorting

    /// The greatest logarithm of the cost's ratio when the input doubles.
    var limit: Double {
      switch self {
      case .constant: 0.3
      case .linear: 1.25
      case .sorting: 1.35
      }
    }
  }

  /// Measures an operation once; the rest of its row is not counted.
  typealias Measure = (_ operation: () throws -> Void) throws -> Void

  let name: String
  let promise: Promise
  /// The smallest of the three sizes.
  let size: Int
  /// Makes a fresh input of a size, and passes the operation to `measure`.
  let run: (_ size: Int, _ measure: Measure) throws -> Void

  init(
    _ name: String,
    _ promise: Promise,
    size: Int,
    _ run: @escaping (_ size: Int, _ measure: Measure) throws -> Void
  ) {
    self.name = name
    self.promise = promise
    self.size = size
    self.run = run
  }

  static var all: [GrowthRow] {
    writes + queries + pages + conditions + relations + observers + openings + synchronization
      + messages
  }

  /// The costs at the three sizes, and the exponent between the two greater ones.
  struct Result {
    let costs: [Int]
    var exponent: Double { log2(Double(costs[2]) / Double(max(1, costs[1]))) }
  }

  func result() throws -> Result {
    Result(
      costs: try [size, 2 * size, 4 * size].map { size in
        var cost = 0
        try run(size) { cost += try InstructionCount.of($0) }
        return cost
      }
    )
  }
}

/// A row that cannot be measured.
struct GrowthError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Throws unless a result is as expected: an operation that does nothing costs little.
func expect(
  _ condition: Bool,
  line: UInt = #line
) throws {
  if !condition { throw GrowthError("an operation has another result than expected: line \(line)") }
}
