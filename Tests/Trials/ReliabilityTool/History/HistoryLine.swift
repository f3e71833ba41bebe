import ObjectBoxReliabilitySupport

/// The line format in which processes report their transactions.
enum HistoryLine {
  static func text(of transaction: History.Transaction) -> String {
    let operations = transaction.operations.map { operation in
      switch operation {
      case .read(let register, let value): "r\(register)=\(value)"
      case .write(let register, let value): "w\(register)=\(value)"
      }
    }
    let head = [
      "t", transaction.name, transaction.version.map(String.init) ?? "-", "\(transaction.begin)",
      "\(transaction.end)", transaction.isCommitted ? "committed" : "rolled-back",
    ]
    return (head + operations).joined(separator: " ")
  }

  /// Parses a line; nil when it is no transaction.
  static func transaction(in line: String) -> History.Transaction? {
    let parts = line.split(separator: " ").map(String.init)
    guard parts.count >= 6, parts[0] == "t", let begin = UInt64(parts[3]),
      let end = UInt64(parts[4])
    else { return nil }
    return History.Transaction(
      name: parts[1],
      operations: parts[6...].compactMap(operation),
      version: Int(parts[2]),
      begin: begin,
      end: end,
      isCommitted: parts[5] == "committed"
    )
  }

  private static func operation(_ text: String) -> History.Operation? {
    let numbers = text.dropFirst().split(separator: "=")
    guard numbers.count == 2, let register = Int(numbers[0]), let value = Int64(numbers[1]) else {
      return nil
    }
    return text.hasPrefix("r")
      ? .read(register: register, value: value) : .write(register: register, value: value)
  }
}
