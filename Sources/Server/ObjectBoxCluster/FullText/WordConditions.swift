internal import ObjectBox
internal import ObjectBoxFullText
internal import ObjectBoxSearch

/// A `matches` condition of an entity.
struct WordSearch {
  let table: ClusterTable
  let columns: TextColumns
  let plan: QueryPlan

  /// Creates the search of a condition; nil for another kind of condition.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - table: The table of its entity.
  /// - Throws: `ObjectBoxError`: `illegalArgument` when no index serves the condition, or its text has a fault;
  ///   `schema` when this program lacks the rules of the index.
  init?(_ condition: PropertyCondition, of table: ClusterTable) throws {
    guard case .matching(let search) = condition.operand else { return nil }
    let (index, column) = try search.index(of: condition, in: table.schema)
    guard let columns = table.texts.first(where: { $0.index.identity == index.identity }) else {
      // This throws an error that names what is missing.
      _ = try Tokenizer(index.tokenizerSettings)
      throw ObjectBoxError.schema(
        message:
          "the full-text index '\(index.title(in: table.schema))' of '\(table.schema.name)' lacks a property"
      )
    }
    self.table = table
    self.columns = columns
    plan = QueryPlan(
      try search.expression(by: columns.tokenizer, in: index, column, of: table.schema)
    )
  }
}

/// Renders searches for words as SQL over the arrays of words.
///
/// The index on the arrays finds words, and prefixes of the lengths that it contains. Other prefixes, phrases and NEAR
/// are tested on the words of the remaining rows.
extension ConditionRendering {
  /// Returns a search as SQL: true for matching rows, false or null for others.
  ///
  /// A row without words makes the statement fail; see ``ServerFailure/isOfMissingWords``. This test is part of the
  /// condition, so every plan of the server meets such rows.
  mutating func sql(_ search: WordSearch, as alias: String) -> String {
    searches.append(search)
    let words = WordRendering(search, alias)
    let missing =
      "\(search.columns.isMissing("\(alias).")) AND CASE WHEN \(words.words) IS NULL "
      + "THEN ('\(ServerFailure.missingWords)' || \(alias).\(search.table.id.name))::integer IS NULL END"
    return "(\(words.sql(search.plan.root, &self)) OR \(missing))"
  }
}

/// Renders the parts of one search.
struct WordRendering {
  private let search: WordSearch
  /// The expression of the words in the statement.
  let words: String
  private let beginnings: String

  init(_ search: WordSearch, _ alias: String) {
    self.search = search
    words = "\(alias).\(search.columns.names.words)"
    beginnings = "\(alias).\(search.columns.names.beginnings)"
  }

  func sql(_ node: QueryNode, _ rendering: inout ConditionRendering) -> String {
    switch node {
    case .leaf(let leaf): return sql(search.plan.leaves[leaf], &rendering)
    case .near(let leaves, let distance): return near(leaves, distance, &rendering)
    case .all(let nodes): return joined(nodes, " AND ", empty: "true", &rendering)
    case .any(let nodes): return joined(nodes, " OR ", empty: "false", &rendering)
    case .excluding(let included, let excluded):
      let included = sql(included, &rendering)
      return "(\(included) AND NOT \(sql(excluded, &rendering)))"
    }
  }

  private func joined(
    _ nodes: [QueryNode],
    _ word: String,
    empty: String,
    _ rendering: inout ConditionRendering
  ) -> String {
    let all = nodes.map { sql($0, &rendering) }
    return all.isEmpty ? empty : "(\(all.joined(separator: word)))"
  }

  /// Returns the condition that a row contains a leaf.
  func sql(_ leaf: QueryLeaf, _ rendering: inout ConditionRendering) -> String {
    let (candidates, isExact) = candidates(leaf, &rendering)
    if isExact, let candidates { return candidates }
    var exact: String
    if case .prefix(let beginning) = leaf.content {
      let all = rendering.parameter(texts: marked(beginning, leaf))
      exact = "EXISTS (SELECT FROM unnest(\(words)) w, unnest(\(all)) b WHERE starts_with(w, b))"
    } else {
      exact = "EXISTS (\(starts([leaf], &rendering)))"
    }
    if let candidates { exact = "(\(candidates) AND \(exact))" }
    return exact
  }

  // MARK: Candidates

  /// Returns the condition that the index serves, and whether it is sufficient; nil without one.
  private func candidates(
    _ leaf: QueryLeaf,
    _ rendering: inout ConditionRendering
  ) -> (sql: String?, isExact: Bool) {
    switch leaf.content {
    case .term(let word): return (has(marked(word, leaf), in: words, &rendering), true)
    case .prefix(let beginning):
      let count = beginning.unicodeScalars.count
      guard let length = search.columns.index.prefixes.map(Int.init).last(where: { $0 <= count })
      else { return (nil, false) }
      let start = String(String.UnicodeScalarView(beginning.unicodeScalars.prefix(length)))
      return (has(marked(start, leaf), in: beginnings, &rendering), length == count)
    case .phrase(let phrase):
      let whole = phrase.filter { !$0.isPrefix }
      let all = columns(leaf).map { column in
        let texts = rendering.parameter(texts: whole.map { marked($0.text, column) })
        return "\(words) @> \(texts)"
      }
      return (all.count == 1 ? all[0] : "(\(all.joined(separator: " OR ")))", false)
    }
  }

  /// Returns the condition that an array has one text or more.
  private func has(
    _ texts: [[UInt8]],
    in array: String,
    _ rendering: inout ConditionRendering
  ) -> String {
    "\(array) \(texts.count == 1 ? "@>" : "&&") \(rendering.parameter(texts: texts))"
  }

  private func columns(_ leaf: QueryLeaf) -> [Int] {
    leaf.column.map { [$0] } ?? Array(search.columns.marks.indices)
  }

  private func marked(_ text: String, _ leaf: QueryLeaf) -> [[UInt8]] {
    columns(leaf).map { marked(text, $0) }
  }

  private func marked(_ text: String, _ column: Int) -> [UInt8] {
    search.columns.marks[column] + Array(text.utf8)
  }

  // MARK: Places

  /// Returns a SELECT of the places of leaves in a row: the index `i` of the leaf, the column `c`, and the number `s`
  /// of its first word among all words of the row.
  ///
  /// The words of a leaf are rows of parameters, each with its distance `o` from the first word. A place counts if all
  /// `n` words are at their positions. It makes one pass over the words of the row.
  func starts(_ leaves: [QueryLeaf], _ rendering: inout ConditionRendering) -> String {
    var texts: [[UInt8]] = []
    var numbers: [[Int32]] = [[], [], [], [], []]
    var hasPrefix = false
    for (index, leaf) in leaves.enumerated() {
      let phrase: [PhraseWord] =
        switch leaf.content {
        case .term(let word): [PhraseWord(word, offset: 0)]
        case .prefix(let beginning): [PhraseWord(beginning, isPrefix: true, offset: 0)]
        case .phrase(let words): words
        }
      for column in columns(leaf) {
        for word in phrase {
          texts.append(marked(word.text, column))
          let values = [
            index, column, Int(word.offset), phrase.count, word.isPrefix ? 1 : 0,
          ]
          for place in values.indices { numbers[place].append(Int32(values[place])) }
          if word.isPrefix { hasPrefix = true }
        }
      }
    }
    let keys =
      [rendering.parameter(texts: texts)]
      + numbers.map { numbers in
        rendering.parameter { $0.append(PostgresType.int4Array, of: PostgresType.int4, numbers) }
      }
    let isSame =
      hasPrefix ? "starts_with(u.w, k.t) AND (k.x = 1 OR u.w = k.t)" : "u.w = k.t"
    return "SELECT k.i, k.c, u.p - k.o AS s FROM unnest(\(words)) WITH ORDINALITY AS u(w, p) "
      + "JOIN unnest(\(keys.joined(separator: ", "))) AS k(t, i, c, o, n, x) ON \(isSame) "
      + "GROUP BY k.i, k.c, u.p - k.o, k.n HAVING count(*) = k.n"
  }

  /// Returns the condition that operands are near one another: before the place of one operand, each operand has a
  /// place within the distance plus its own number of words.
  private func near(
    _ leaves: Range<Int>,
    _ distance: Int,
    _ rendering: inout ConditionRendering
  ) -> String {
    let operands = Array(search.plan.leaves[leaves])
    var conditions = operands.compactMap { candidates($0, &rendering).sql }
    let starts = starts(operands, &rendering)
    let lasts = operands.indices.map {
      "max(z.s) FILTER (WHERE z.i = \($0)) OVER g AS m\($0)"
    }
    let reaches = operands.enumerated().map { place, leaf in
      let reach = rendering.parameter {
        $0.append(Int64(UInt32(clamping: distance)) + Int64(leaf.width))
      }
      return "y.m\(place) >= y.s - \(reach)"
    }
    conditions.append(
      "EXISTS (SELECT FROM (SELECT z.s, \(lasts.joined(separator: ", ")) FROM (\(starts)) AS z "
        + "WINDOW g AS (PARTITION BY z.c ORDER BY z.s)) AS y WHERE \(reaches.joined(separator: " AND ")))"
    )
    return "(\(conditions.joined(separator: " AND ")))"
  }

  // MARK: Scores

  /// Returns the columns of a SELECT for the scores of objects: the number of words, the frequencies of the leaves that
  /// are terms, and an array of the places of the other leaves; see ``WordScores``.
  func scoreColumns(_ alias: String, _ rendering: inout ConditionRendering) -> [String] {
    var columns = [search.columns.length("\(alias).")]
    for leaf in search.countedLeaves {
      let leaf = search.plan.leaves[leaf]
      guard case .term(let word) = leaf.content else { continue }
      let counts = self.columns(leaf).map { column in
        let weight = search.columns.index.parts[column].weight
        let text = rendering.parameter { $0.append(PostgresType.text, marked(word, column)) }
        return "\(weight)::bigint * cardinality(array_positions(\(words), \(text)))"
      }
      columns.append(counts.joined(separator: " + "))
    }
    let placed = search.placedLeaves.map { search.plan.leaves[$0] }
    if !placed.isEmpty {
      columns.append(
        "ARRAY(SELECT (z.i::bigint << 40) | (z.c::bigint << 32) | z.s FROM (\(starts(placed, &rendering))) "
          + "AS z ORDER BY z.i, z.c, z.s)"
      )
    }
    return columns
  }
}

extension WordSearch {
  /// The statement that fails if words are missing in the index.
  ///
  /// A cursor evaluates the condition only while its rows are read; then it is too late to start again.
  var check: Statement {
    Statement(
      "SELECT ('\(ServerFailure.missingWords)' || \(table.id.name))::integer FROM \(table.name) "
        + "WHERE \(columns.isMissing()) LIMIT 1"
    )
  }

  /// The leaves that are operands of NEAR; their places determine which of them count.
  private var nearLeaves: Set<Int> {
    func leaves(_ node: QueryNode) -> [Int] {
      switch node {
      case .leaf: []
      case .near(let range, _): Array(range)
      case .all(let nodes), .any(let nodes): nodes.flatMap(leaves)
      case .excluding(let included, let excluded): leaves(included) + leaves(excluded)
      }
    }
    return Set(leaves(plan.root))
  }

  /// The indices of the leaves for which the number of occurrences in an object suffices.
  var countedLeaves: [Int] {
    let near = nearLeaves
    return plan.leaves.indices.filter { index in
      if case .term = plan.leaves[index].content { !near.contains(index) } else { false }
    }
  }

  /// The indices of the leaves for which the places in an object are needed.
  var placedLeaves: [Int] {
    let counted = Set(countedLeaves)
    return plan.leaves.indices.filter { !counted.contains($0) }
  }
}

extension ConditionRendering {
  /// Appends an array of texts, and returns its SQL.
  fileprivate mutating func parameter(texts: [[UInt8]]) -> String {
    parameter { parameters in
      parameters.append(PostgresType.textArray, of: PostgresType.text, count: texts.count) {
        array in
        for text in texts { array.append(text) }
      }
    }
  }
}

extension Condition {
  /// True if the condition or one of its links searches for words.
  var hasWords: Bool {
    switch self {
    case .property(let leaf): leaf.comparison == .matches
    case .all(let parts), .any(let parts): parts.contains(where: \.hasWords)
    case .link(let link): link.condition.hasWords
    }
  }
}

extension ServerFailure {
  /// The prefix of the text that a statement converts to a number if words are missing.
  static let missingWords = "objectbox:words:"

  /// True if a search met texts that were stored by plain SQL.
  var isOfMissingWords: Bool {
    state == State.invalidText && message.contains(Self.missingWords)
  }

  /// True if a statement used columns of words that the database lacks.
  var isOfOtherRules: Bool {
    state == State.undefinedColumn && message.contains(TextColumnNames.prefix)
  }

  static let rulesDiffer = ObjectBoxError.schema(
    message:
      "another program has opened the database with other settings of a full-text index, or with another "
      + "version of the rules that split texts into words; use one version in all programs, and open the "
      + "cluster again"
  )

  /// The error of such a search.
  static let wordsAreMissing = ObjectBoxError.illegalState(message: wordsAreMissingText)

  static let wordsAreMissingText =
    "a query searches texts whose words are missing: a program has stored these texts by SQL, and this "
    + "one may not write; open the database by a program that may, or wait until one has found them"
}

extension ServerFailure.State {
  static let undefinedColumn = "42703"
}
