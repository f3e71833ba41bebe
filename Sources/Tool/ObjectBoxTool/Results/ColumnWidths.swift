/// The widths of a table's columns, which may have to fit a terminal.
struct ColumnWidths {
  /// The least width of a shortened column.
  private static let least = 8
  /// The blanks between two columns.
  static let gap = 2

  /// The greatest width of a line; nil for any.
  private let limit: Int?
  /// The columns that may be shortened.
  private let texts: [Int]
  /// The widths that whole values need, of the rows so far.
  private var needed: [Int]
  /// The widths of the columns.
  private(set) var widths: [Int] = []

  /// - Parameters:
  ///   - names: The names of the columns.
  ///   - texts: The columns that may be shortened; a shortened number would be another number.
  ///   - limit: The greatest width of a line; nil for any.
  init(_ names: [String], texts: [Int], limit: Int?) {
    self.limit = limit
    self.texts = texts
    needed = names.map(\.count)
  }

  /// Widens the columns for more rows.
  mutating func add(_ rows: [[String]]) {
    for row in rows {
      for column in row.indices { needed[column] = max(needed[column], row[column].count) }
    }
    widths = needed
    guard let limit else { return }
    var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - limit
    // The widest columns give most.
    while excess > 0, let widest = texts.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > Self.least
    {
      let others = texts.map { widths[$0] }.filter { $0 < widths[widest] }
      let next = max(Self.least, others.max() ?? 0)
      let equal = texts.filter { widths[$0] == widths[widest] }
      let step = max(1, min(widths[widest] - next, excess / equal.count))
      for column in equal where excess > 0 {
        widths[column] -= step
        excess -= step
      }
    }
  }

  /// Returns a cell as its column shows it.
  func shown(_ cell: String, in column: Int) -> String {
    cell.count > widths[column] ? cell.prefix(widths[column] - 1) + "…" : cell
  }
}
