/// Checks that reads, writes, versions and times of a history allow a serial order.
///
/// The guarantee is stronger than snapshot isolation. Writers of a store are serial, and a reader
/// sees the state after one of them. So one order of all transactions, strict in time, explains
/// every read. Transactions read a register before they write it, which orders the writes of each
/// register.
package struct HistoryCheck {
  /// The transaction that wrote a value, by index; nil for the initial value.
  struct Writer {
    var transaction: Int?
    var isFinal: Bool
  }

  let history: History
  /// The writers of each value, by register.
  private(set) var writers: [Int: [Int64: Writer]] = [:]
  /// The transactions that replaced each value, by register.
  private(set) var successors: [Int: [Int64: Int]] = [:]
  private var faults: [HistoryFault] = []

  private init(_ history: History) { self.history = history }

  /// Returns the violations of a history; empty for a sound history.
  package static func faults(in history: History) -> [HistoryFault] {
    var check = HistoryCheck(history)
    check.findWriters()
    check.checkReads()
    check.findSuccessors()
    check.checkVersions()
    if check.faults.isEmpty, let cycle = OrderGraph(check).cycle() {
      check.faults.append(.cycle(cycle))
    }
    return check.faults
  }

  private func name(_ transaction: Int) -> String { history.transactions[transaction].name }

  private mutating func findWriters() {
    for (register, value) in history.initial {
      writers[register, default: [:]][value] = Writer(transaction: nil, isFinal: true)
    }
    for (index, transaction) in history.transactions.enumerated() {
      let last = transaction.finalWrites
      for case .write(let register, let value) in transaction.operations {
        writers[register, default: [:]][value] = Writer(
          transaction: index,
          isFinal: last[register] == value
        )
      }
    }
  }

  /// Checks that every read returns a committed final value, or the transaction's own.
  private mutating func checkReads() {
    for (index, transaction) in history.transactions.enumerated() {
      var known: [Int: Int64] = [:]
      for operation in transaction.operations {
        switch operation {
        case .write(let register, let value): known[register] = value
        case .read(let register, let value):
          if let known = known[register], known != value {
            faults.append(.nonRepeatableRead(reader: transaction.name, register: register))
          }
          known[register] = value
          checkRead(of: register, value, by: index)
        }
      }
    }
  }

  private mutating func checkRead(of register: Int, _ value: Int64, by reader: Int) {
    guard let writer = writers[register]?[value] else {
      return faults.append(
        .unknownValue(reader: name(reader), register: register, value: value)
      )
    }
    guard let number = writer.transaction, number != reader else { return }
    if !history.transactions[number].isCommitted {
      faults.append(.dirtyRead(reader: name(reader), writer: name(number), register: register))
    } else if !writer.isFinal {
      faults.append(
        .intermediateRead(reader: name(reader), writer: name(number), register: register)
      )
    }
  }

  private mutating func findSuccessors() {
    for (index, transaction) in history.transactions.enumerated() where transaction.isCommitted {
      let reads = transaction.outerReads
      for register in transaction.finalWrites.keys.sorted() {
        guard let value = reads[register] else {
          faults.append(.blindWrite(writer: transaction.name, register: register))
          continue
        }
        if let other = successors[register]?.updateValue(index, forKey: value) {
          faults.append(
            .lostUpdate(first: name(other), second: transaction.name, register: register)
          )
        } else {
          successors[register, default: [:]][value] = index
        }
      }
    }
  }

  /// Checks that readers with a known version see the last values before it.
  private mutating func checkVersions() {
    for transaction in history.transactions where transaction.isCommitted && !transaction.isWriter {
      guard let version = transaction.version else { continue }
      for (register, value) in transaction.outerReads.sorted(by: { $0.key < $1.key }) {
        let written = self.version(of: writers[register]?[value]?.transaction)
        let replaced = self.version(of: successors[register]?[value])
        if written.map({ $0 > version }) ?? false || replaced.map({ $0 <= version }) ?? false {
          faults.append(
            .wrongVersion(reader: transaction.name, register: register, version: version)
          )
        }
      }
    }
  }

  private func version(of transaction: Int?) -> Int? {
    transaction.flatMap { history.transactions[$0].version }
  }
}
