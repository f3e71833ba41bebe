/// Rows of texts in columns, for people.
struct ConsoleTable {
  private var rows: [[String]] = []
  /// The right-aligned columns.
  private let numbers: Set<Int>

  init(_ header: [String], numbers: Set<Int>) {
    self.numbers = numbers
    rows = [header]
  }

  mutating func add(_ row: [String]) { rows.append(row) }

  /// The lines, indented by two spaces.
  var text: String {
    let columns = rows[0].indices
    let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = "  "
      for column in columns {
        let blanks = String(repeating: " ", count: widths[column] - row[column].count)
        line += numbers.contains(column) ? blanks + row[column] : row[column] + blanks
        line += "  "
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}

extension Int {
  /// The number with a noun, such as "1 object" or "3 objects".
  func counted(_ noun: String, _ plural: String? = nil) -> String {
    self == 1 ? "1 \(noun)" : "\(self) \(plural ?? noun + "s")"
  }

  /// A size in bytes with a suitable unit, such as "12.5 MiB".
  var asByteCount: String {
    var size = Double(self)
    for unit in ["bytes", "KiB", "MiB", "GiB"] {
      if size < 1024 {
        return unit == "bytes" ? "\(self) bytes" : "\((size * 10).rounded() / 10) \(unit)"
      }
      size /= 1024
    }
    return "\((size * 10).rounded() / 10) TiB"
  }
}
