internal import ObjectBox

extension ConditionRendering {
  /// Returns the comparison of texts or the elements of a vector of texts.
  mutating func texts(
    _ condition: PropertyCondition,
    _ values: [String],
    _ column: Column,
    _ alias: String
  ) -> String {
    let isFolded = !condition.isCaseSensitive
    let name = column.text(alias, folded: isFolded)
    let operands = values.map {
      condition.isCaseSensitive ? Array($0.utf8) : Column.folded($0)
    }
    if condition.comparison.isOfList {
      let array = parameter {
        $0.append(PostgresType.textArray, texts: operands.filter(\.isStorable))
      }
      return condition.comparison == .isIn && column.kind == .text
        ? column.isOne(of: array, name, isFolded: isFolded)
        : isIn(condition.comparison, name, array)
    }
    guard let operand = operands.first else { return "false" }
    if condition.comparison.isOfBounds, let bounds = Bounds(condition.comparison, operands) {
      let low = compare(bounds.low, .greaterOrEqual, name, column, isFolded)
      return "(\(low) AND \(compare(bounds.high, bounds.end, name, column, isFolded)))"
    }
    guard operand.isStorable else { return unstorable(condition.comparison, operand, name) }
    switch condition.comparison {
    case .containsElement:
      return "\(name) @> \(parameter { $0.append(PostgresType.textArray, texts: [operand]) })"
    case .hasPrefix:
      let low = text(operand)
      let isFrom = column.comparison(name, ">=", low, isFolded: isFolded)
      guard let end = operand.endOfPrefix else { return isFrom }
      return "(\(isFrom) AND \(column.comparison(name, "<", text(end), isFolded: isFolded)))"
    case .hasSuffix: return "\(name) LIKE \(text([UInt8(ascii: "%")] + operand.escapedForLike))"
    case .contains: return "strpos(\(name), \(text(operand))) > 0"
    default: return compare(operand, condition.comparison, name, column, isFolded)
    }
  }

  private mutating func compare(
    _ operand: [UInt8],
    _ comparison: PropertyCondition.Comparison,
    _ name: String,
    _ column: Column,
    _ isFolded: Bool
  ) -> String {
    guard operand.isStorable else { return unstorable(comparison, operand, name) }
    return column.comparison(name, comparison.operatorInSQL, text(operand), isFolded: isFolded)
  }

  private mutating func text(_ operand: [UInt8]) -> String {
    parameter { $0.append(PostgresType.text, operand) }
  }

  /// Returns the comparison of an SQL expression of type text with an operand.
  mutating func compare(
    _ expression: String,
    _ comparison: PropertyCondition.Comparison,
    _ operand: [UInt8]
  ) -> String {
    operand.isStorable
      ? "\(expression) \(comparison.operatorInSQL) \(text(operand))"
      : unstorable(comparison, operand, expression)
  }

  /// Returns the comparison with a text that contains U+0000, which PostgreSQL cannot store.
  private mutating func unstorable(
    _ comparison: PropertyCondition.Comparison,
    _ operand: [UInt8],
    _ name: String
  ) -> String {
    // No storable text lies between the operand and its part before U+0000.
    let start = Array(operand.prefix { $0 != 0 })
    switch comparison {
    case .notEqual: return "\(name) IS NOT NULL"
    case .less, .lessOrEqual: return "\(name) <= \(text(start))"
    case .greater, .greaterOrEqual: return "\(name) > \(text(start))"
    default: return "false"
    }
  }

  /// Returns the comparison of bytes, UUIDs and decimals.
  mutating func bytes(
    _ comparison: PropertyCondition.Comparison,
    _ values: [[UInt8]],
    _ column: Column,
    _ name: String
  ) -> String {
    let form = BytesForm(column, values)
    let name = form.expression(name)
    if comparison.isOfList {
      let array = parameter {
        $0.append(form.arrayType, of: form.type, count: values.count) { array in
          for value in values { array.append(value) }
        }
      }
      return isIn(comparison, name, array + form.arrayCast)
    }
    func operand(_ value: [UInt8], _ rendering: inout Self) -> String {
      rendering.parameter { $0.append(form.type, value) } + form.cast
    }
    guard comparison.isOfBounds, let bounds = Bounds(comparison, values, by: column.key) else {
      let value = operand(values.first ?? [], &self)
      return column.comparison(name, comparison.operatorInSQL, value)
    }
    let low = operand(bounds.low, &self)
    let high = operand(bounds.high, &self)
    return "(\(name) >= \(low) AND \(name) \(bounds.end.operatorInSQL) \(high))"
  }
}

/// The bounds of `between`, in ascending order, or of a range that may be empty because it ends before it begins.
private struct Bounds {
  let low: [UInt8]
  let high: [UInt8]
  /// The comparison with the upper bound.
  let end: PropertyCondition.Comparison

  /// Creates bounds; nil unless there are two values.
  init?(
    _ comparison: PropertyCondition.Comparison,
    _ values: [[UInt8]],
    by key: ([UInt8]) -> [UInt8] = { $0 }
  ) {
    guard values.count == 2 else { return nil }
    let isReversed =
      comparison == .between && key(values[1]).lexicographicallyPrecedes(key(values[0]))
    low = values[isReversed ? 1 : 0]
    high = values[isReversed ? 0 : 1]
    end = comparison == .between ? .lessOrEqual : .less
  }
}

/// The type of parameters for operands of a column of bytes, UUIDs or decimals.
private struct BytesForm {
  var type = PostgresType.bytea
  var arrayType = PostgresType.byteaArray
  var cast = ""
  var arrayCast = ""
  private var function: String?

  init(_ column: Column, _ values: [[UInt8]]) {
    switch column.kind {
    case .numeric:
      (type, arrayType) = (PostgresType.text, PostgresType.textArray)
      (cast, arrayCast) = ("::numeric", "::numeric[]")
    case .uuid where values.allSatisfy({ $0.count == 16 }):
      (type, arrayType) = (PostgresType.uuid, PostgresType.uuidArray)
    // Operands with another length than a UUID's are compared as bytes.
    case .uuid: function = "uuid_send"
    default: break
    }
  }

  func expression(_ name: String) -> String { function.map { "\($0)(\(name))" } ?? name }
}

extension Column {
  /// Returns bytes that sort like values of the column.
  fileprivate func key(_ value: [UInt8]) -> [UInt8] {
    kind == .numeric ? value.withUnsafeBytes { Collation.decimal.key(of: $0) } : value
  }

  /// The expression of a column's texts, folded or unchanged.
  func text(_ alias: String, folded: Bool) -> String {
    // Numbers have no letters.
    if kind == .numeric { return "(\(alias).\(name)::text COLLATE \"C\")" }
    return "\(alias).\(folded ? foldedName ?? name : name)"
  }
}

extension PropertyCondition.Comparison {
  /// The operator of a comparison with one value.
  fileprivate var operatorInSQL: String {
    switch self {
    case .notEqual: "<>"
    case .less, .lessOrEqual, .greater, .greaterOrEqual: rawValue
    default: "="
    }
  }
}

extension Parameters {
  /// Appends an array of texts.
  fileprivate mutating func append(_ type: UInt32, texts: [[UInt8]]) {
    append(type, of: PostgresType.text, count: texts.count) { array in
      for text in texts { array.append(text) }
    }
  }
}

extension [UInt8] {
  /// True if the text has no U+0000.
  fileprivate var isStorable: Bool { !contains(0) }

  /// The text with the wildcards of LIKE escaped.
  fileprivate var escapedForLike: [UInt8] {
    flatMap { byte in
      [UInt8(ascii: "%"), UInt8(ascii: "_"), UInt8(ascii: "\\")].contains(byte)
        ? [UInt8(ascii: "\\"), byte] : [byte]
    }
  }

  /// The least text above all texts that begin with this one; nil when there is none.
  fileprivate var endOfPrefix: [UInt8]? {
    var scalars = Array<Unicode.Scalar>(String(decoding: self, as: UTF8.self).unicodeScalars)
    while let last = scalars.popLast() {
      // Skip the surrogates; U+10FFFF has no successor.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var end = String.UnicodeScalarView()
      end.append(contentsOf: scalars)
      end.append(scalar)
      return Swift.Array(String(end).utf8)
    }
    return nil
  }
}
