/// The transactions of a run, with the register values that they read and wrote.
///
/// Every write stores a unique value, so a value identifies the transaction that wrote it.
package struct History: Sendable {
  /// A read or a write of one register.
  package enum Operation: Hashable, Sendable {
    case read(register: Int, value: Int64)
    case write(register: Int, value: Int64)
  }

  /// A transaction: its operations in order, and when it ran.
  package struct Transaction: Sendable {
    /// A name for reports.
    package var name: String
    package var operations: [Operation]
    /// The version of the store that it read or created; nil when unknown.
    package var version: Int?
    /// A time before it began, by a clock that all processes share.
    package var begin: UInt64
    /// A time after it ended.
    package var end: UInt64
    /// False when it was rolled back.
    package var isCommitted: Bool

    package init(
      name: String,
      operations: [Operation],
      version: Int? = nil,
      begin: UInt64,
      end: UInt64,
      isCommitted: Bool = true
    ) {
      self.name = name
      self.operations = operations
      self.version = version
      self.begin = begin
      self.end = end
      self.isCommitted = isCommitted
    }

    /// True when it wrote or tried to write.
    package var isWriter: Bool {
      operations.contains { if case .write = $0 { true } else { false } }
    }

    /// The value of each register that it read before writing the register.
    var outerReads: [Int: Int64] {
      var reads: [Int: Int64] = [:]
      var written: Set<Int> = []
      for operation in operations {
        switch operation {
        case .read(let register, let value):
          if !written.contains(register) && reads[register] == nil { reads[register] = value }
        case .write(let register, _): written.insert(register)
        }
      }
      return reads
    }

    /// The last value that it wrote to each register.
    var finalWrites: [Int: Int64] {
      var writes: [Int: Int64] = [:]
      for case .write(let register, let value) in operations { writes[register] = value }
      return writes
    }
  }

  package var transactions: [Transaction]
  /// The values of the registers before the first transaction.
  package var initial: [Int: Int64]

  package init(transactions: [Transaction], initial: [Int: Int64]) {
    self.transactions = transactions
    self.initial = initial
  }
}
