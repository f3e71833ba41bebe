/// A violation of isolation in a history.
package enum HistoryFault: Hashable, Sendable, CustomStringConvertible {
  /// A read of a value that no transaction wrote.
  case unknownValue(reader: String, register: Int, value: Int64)
  /// A read of a value whose transaction was rolled back.
  case dirtyRead(reader: String, writer: String, register: Int)
  /// A read of a value that its own transaction later replaced.
  case intermediateRead(reader: String, writer: String, register: Int)
  /// Two reads in one transaction with different values and no write between them.
  case nonRepeatableRead(reader: String, register: Int)
  /// Two transactions that replaced the same value of a register.
  case lostUpdate(first: String, second: String, register: Int)
  /// A version that shows a later commit's value, or not the last value before it.
  case wrongVersion(reader: String, register: Int, version: Int)
  /// A write of a register that the transaction had not read; its place in the order is unknown.
  case blindWrite(writer: String, register: Int)
  /// Transactions in a cycle: each must precede the next, and the last must precede the first.
  case cycle([String])

  package var description: String {
    switch self {
    case .unknownValue(let reader, let register, let value):
      "\(reader) read \(value) of register \(register), which nobody wrote"
    case .dirtyRead(let reader, let writer, let register):
      "\(reader) read register \(register) of \(writer), which was rolled back"
    case .intermediateRead(let reader, let writer, let register):
      "\(reader) read register \(register) in the middle of \(writer)"
    case .nonRepeatableRead(let reader, let register):
      "\(reader) read register \(register) twice, and it had changed"
    case .lostUpdate(let first, let second, let register):
      "\(first) and \(second) both replaced the same value of register \(register)"
    case .wrongVersion(let reader, let register, let version):
      "\(reader) at version \(version) read register \(register) of another version"
    case .blindWrite(let writer, let register):
      "\(writer) wrote register \(register) without reading it"
    case .cycle(let steps): "no order is possible: " + steps.joined(separator: ", ")
    }
  }
}
