/// The transactions of a run, with the values of registers that they read and wrote.
///
/// Every write of the run stores another value, so a value tells the transaction that wrote it.
package struct History: Sendable {
  /// A read or a write of one register.
  package enum Operation: Hashable, Sendable {
    case read(register: Int, value: Int64)
    case write(register: Int, value: Int64)
  }

  /// A transaction: its operations in their order, and when it ran.
  package struct Transaction: Sendable {
    /// A name for reports.
    package var name: String
    package var operations: [Operation]
    /// The version of the store that it saw or made; nil when that is not known.
    package var version: Int?
    /// Some time before it began, by the clock that all share.
    package var begin: UInt64
    /// Some time after it ended.
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

    /// True when it wrote, or tried to.
    package var isWriter: Bool {
      operations.contains { if case .write = $0 { true } else { false } }
    }

    /// The values that it read before it wrote the register itself, one a register.
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

    /// The values that it leaves in registers.
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
