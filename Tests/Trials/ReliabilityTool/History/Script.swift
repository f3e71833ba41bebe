import ObjectBox
import ObjectBoxReliabilitySupport
import ObjectBoxTestSupport

/// The operations of one transaction of a history, before it runs.
struct Script: Sendable {
  enum Step: Sendable {
    case read(Int)
    case write(Int, Int64)
  }

  /// The number of registers; their object IDs begin with 1.
  static let registers = 6

  var steps: [Step] = []
  /// True when the transaction is rolled back at its end.
  var isRolledBack = false

  /// Reads registers, some of them twice.
  static func reading(_ random: inout SplitMix) -> Script {
    var numbers = Array(1...registers).shuffled(using: &random)
    numbers = Array(numbers.prefix(Int.random(in: 2...registers, using: &random)))
    return Script(steps: (numbers + [numbers[0]]).map { .read($0) })
  }

  /// Reads registers and writes some of them, at times twice; values are unique.
  static func writing(_ random: inout SplitMix, value: () -> Int64) -> Script {
    var script = Script()
    let numbers = Array(1...registers).shuffled(using: &random)
    let read = numbers.prefix(Int.random(in: 1...4, using: &random))
    script.steps = read.map { .read($0) }
    for number in read.prefix(Int.random(in: 1...2, using: &random)) {
      if Int.random(in: 0..<4, using: &random) == 0 { script.steps.append(.write(number, value())) }
      script.steps.append(.write(number, value()))
      if Bool.random(using: &random) { script.steps.append(.read(number)) }
    }
    script.isRolledBack = Int.random(in: 0..<8, using: &random) == 0
    return script
  }

  /// Reads one register.
  static func readingOne(_ random: inout SplitMix) -> Script {
    Script(steps: [.read(Int.random(in: 1...registers, using: &random))])
  }

  /// Runs the steps, and records each completed operation.
  func run(
    read: (Id) throws -> Register?,
    write: (Register) throws -> Void = { _ in },
    note: (History.Operation) -> Void
  ) throws {
    for step in steps {
      switch step {
      case .read(let number):
        guard let register = try read(Id(number)) else { throw HistoryFailure.missingRegister }
        note(.read(register: number, value: register.value))
      case .write(let number, let value):
        let register = Register(value)
        register.id = Id(number)
        try write(register)
        note(.write(register: number, value: value))
      }
    }
    if isRolledBack { throw HistoryFailure.rolledBack }
  }
}

enum HistoryFailure: Error {
  case missingRegister
  /// Thrown by a block to roll back.
  case rolledBack
}
