import ObjectBoxReliabilitySupport
import ObjectBoxTestSupport
import Testing

struct HistoryCheckTests {
  /// Makes a transaction; without times, its place in the order is free.
  private func transaction(
    _ name: String,
    _ operations: [History.Operation],
    version: Int? = nil,
    time: (UInt64, UInt64) = (0, .max),
    isCommitted: Bool = true
  ) -> History.Transaction {
    History.Transaction(
      name: name,
      operations: operations,
      version: version,
      begin: time.0,
      end: time.1,
      isCommitted: isCommitted
    )
  }

  private func read(_ register: Int, _ value: Int64) -> History.Operation {
    .read(register: register, value: value)
  }

  private func write(_ register: Int, _ value: Int64) -> History.Operation {
    .write(register: register, value: value)
  }

  /// Checks transactions on two registers that begin with 0.
  private func faults(_ transactions: History.Transaction...) -> [HistoryFault] {
    HistoryCheck.faults(in: History(transactions: transactions, initial: [1: 0, 2: 0]))
  }

  @Test func `a serial history is sound`() {
    let found = faults(
      transaction("a", [read(1, 0), write(1, 10), read(1, 10)], version: 1, time: (0, 1)),
      transaction("b", [read(1, 10), read(2, 0)], version: 1, time: (2, 5)),
      transaction("c", [read(1, 10), read(2, 0), write(1, 11), write(2, 12)], version: 2),
      transaction("d", [read(1, 11), read(2, 12)], version: 2)
    )
    #expect(found.isEmpty)
  }

  @Test func `transactions of a group have one version and an order of their own`() {
    let found = faults(
      transaction("a", [read(1, 0), write(1, 10)], version: 3),
      transaction("b", [read(1, 10), write(1, 11)], version: 3),
      transaction("c", [read(1, 11)], version: 3)
    )
    #expect(found.isEmpty)
  }

  @Test func `a lost update is found`() {
    let found = faults(
      transaction("a", [read(1, 0), write(1, 10)]),
      transaction("b", [read(1, 0), write(1, 11)])
    )
    #expect(found == [.lostUpdate(first: "a", second: "b", register: 1)])
  }

  @Test func `a dirty read is found`() {
    let found = faults(
      transaction("a", [read(1, 0), write(1, 10)], isCommitted: false),
      transaction("b", [read(1, 10)])
    )
    #expect(found == [.dirtyRead(reader: "b", writer: "a", register: 1)])
  }

  @Test func `a read in the middle of a transaction is found`() {
    let found = faults(
      transaction("a", [read(1, 0), write(1, 10), write(1, 11)]),
      transaction("b", [read(1, 10)])
    )
    #expect(found == [.intermediateRead(reader: "b", writer: "a", register: 1)])
  }

  @Test func `a non-repeatable read is found`() {
    let found = faults(
      transaction("a", [read(1, 0), write(1, 10)]),
      transaction("b", [read(1, 0), read(1, 10)])
    )
    #expect(found.contains(.nonRepeatableRead(reader: "b", register: 1)))
  }

  @Test func `a transaction that does not read its own write is found`() {
    let found = faults(transaction("a", [read(1, 0), write(1, 10), read(1, 0)]))
    #expect(found.contains(.nonRepeatableRead(reader: "a", register: 1)))
  }

  @Test func `a value that nobody wrote is found`() {
    let found = faults(transaction("a", [read(1, 7)]))
    #expect(found == [.unknownValue(reader: "a", register: 1, value: 7)])
  }

  @Test func `a read skew is found`() {
    let found = faults(
      transaction("a", [read(1, 0), read(2, 0), write(1, 10), write(2, 11)]),
      transaction("b", [read(1, 0), read(2, 11)])
    )
    #expect(found.count == 1)
    guard case .cycle(let names) = found.first else { return #expect(Bool(false), "\(found)") }
    #expect(Set(names) == ["a", "b"])
  }

  @Test func `a cycle of writes is found`() {
    let found = faults(
      transaction("a", [read(1, 0), write(1, 10), read(2, 21), write(2, 22)]),
      transaction("b", [read(2, 0), write(2, 21), read(1, 10), write(1, 11)])
    )
    guard case .cycle = found.first else { return #expect(Bool(false), "\(found)") }
  }

  @Test func `a write skew is found`() {
    let found = faults(
      transaction("a", [read(1, 0), read(2, 0), write(1, 10)]),
      transaction("b", [read(1, 0), read(2, 0), write(2, 20)])
    )
    guard case .cycle(let names) = found.first else { return #expect(Bool(false), "\(found)") }
    #expect(Set(names) == ["a", "b"])
  }

  @Test func `a read of an old value after a commit was acknowledged is found`() {
    let found = faults(
      transaction("a", [read(1, 0), write(1, 10)], time: (0, 1)),
      transaction("b", [read(1, 0)], time: (2, 3))
    )
    guard case .cycle(let names) = found.first else { return #expect(Bool(false), "\(found)") }
    #expect(Set(names) == ["a", "b"])
  }

  @Test func `commits in another order than their versions are found`() {
    let found = faults(
      transaction("a", [read(1, 0), write(1, 10)], version: 2),
      transaction("b", [read(1, 10), write(1, 11)], version: 1)
    )
    guard case .cycle = found.first else { return #expect(Bool(false), "\(found)") }
  }

  @Test(arguments: [(2, Int64(0)), (1, Int64(10))])
  func `a reader with the values of another version is found`(version: Int, value: Int64) {
    let found = faults(
      transaction("a", [read(1, 0), write(1, 10)], version: 2),
      transaction("b", [read(1, value)], version: version)
    )
    #expect(found == [.wrongVersion(reader: "b", register: 1, version: version)])
  }

  @Test func `a write without a read before it is told, since it has no place in the order`() {
    let found = faults(transaction("a", [write(1, 10)]))
    #expect(found == [.blindWrite(writer: "a", register: 1)])
  }

  @Test(arguments: 1...20)
  func `a long serial history is sound, and one changed read in it is found`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    var values: [Int: Int64] = [1: 0, 2: 0, 3: 0]
    var transactions: [History.Transaction] = []
    for number in 1...100 {
      let (register, other) = (Int.random(in: 1...3, using: &random), number % 3 + 1)
      var operations = [read(register, values[register] ?? 0)]
      if other != register { operations.append(read(other, values[other] ?? 0)) }
      if Bool.random(using: &random) {
        values[register] = Int64(number)
        operations.append(write(register, Int64(number)))
      }
      let time = UInt64(number) * 2
      transactions.append(transaction("\(number)", operations, time: (time, time + 1)))
    }
    let initial: [Int: Int64] = [1: 0, 2: 0, 3: 0]
    #expect(HistoryCheck.faults(in: .init(transactions: transactions, initial: initial)).isEmpty)
    // Reads a value that was replaced long ago.
    transactions[99].operations = [read(1, 0), read(2, 0), read(3, 0)]
    #expect(!HistoryCheck.faults(in: .init(transactions: transactions, initial: initial)).isEmpty)
  }
}
