import ObjectBox
import ObjectBoxDynamic
import ObjectBoxGrouping

extension Columns {
  static func enumerations() -> [Column<E>] {
    let colors: [Color] = [.red, .blue, .green]
    let words: [Word] = [.a, .b, .c]
    func byColor(_ a: Color, _ b: Color) -> Bool { a.rawValue < b.rawValue }
    func byWord(_ a: Word, _ b: Word) -> Bool { a.rawValue < b.rawValue }
    func colorCells(_ equal: (Int) -> QueryCondition<E>) -> [Cell<E, Color>] {
      colors.map { a in
        Cell(name: "== \(a)", typed: equal(a.rawValue), dynamic: { $0 == a.rawValue }) { $0 == a }
      }
    }
    func wordCells(_ equal: (String) -> QueryCondition<E>) -> [Cell<E, Word>] {
      words.map { a in
        Cell(name: "== \(a)", typed: equal(a.rawValue), dynamic: { $0 == a.rawValue }) { $0 == a }
      }
    }
    func color(
      _ name: String,
      _ path: WritableKeyPath<E, Color>,
      _ property: Property<E, Int, Void>
    ) -> Column<E> {
      var column = Column(
        name,
        path,
        property,
        colors,
        isSame: ==,
        precedes: byColor,
        colorCells { property == $0 }
      )
      let rows = ColumnValues(colors, of: name, hasNulls: false).rows
      column.checks += [
        groups(property, rows, by: byColor, key: { $0 }, of: \.rawValue),
        update("to a case", { $0.set(property, to: Color.blue) }) { $0[keyPath: path] == .blue },
      ]
      return column
    }
    func maybeColor(
      _ name: String,
      _ path: WritableKeyPath<E, Color?>,
      _ property: Property<E, Int?, Void>
    ) -> Column<E> {
      var column = Column(
        name,
        path,
        property,
        colors,
        isSame: ==,
        precedes: byColor,
        colorCells { property == $0 }
      )
      let rows = ColumnValues(colors, of: name, hasNulls: true).rows
      column.checks += [
        groups(property, rows, by: byColor, key: { $0 }, of: \.rawValue),
        update("to nil", { $0.set(property, to: nil) }) { $0[keyPath: path] == nil },
        update("to a case", { $0.set(property, to: Color.blue) }) { $0[keyPath: path] == .blue },
      ]
      return column
    }
    func word<P, V: StringPropertyType & GroupValue & RecordValue>(
      _ name: String,
      _ path: WritableKeyPath<E, P>,
      _ property: Property<E, V, Void>
    ) -> Column<E> {
      var column = Column(
        name,
        path,
        property,
        words,
        isSame: ==,
        precedes: byWord,
        orderFlags: [.caseSensitive],
        wordCells { property == $0 }
      )
      let rows = ColumnValues(words, of: name, hasNulls: P.self == Word?.self).rows
      column.checks.append(
        groups(property, rows, by: byWord, key: { $0 as? String }, of: \.rawValue)
      )
      return column
    }
    return [
      color("color", \.color, E.color),
      maybeColor("maybe color", \.maybeColor, E.maybeColor),
      color("indexedColor", \.indexedColor, E.indexedColor),
      maybeColor("maybe indexedColor", \.maybeIndexedColor, E.maybeIndexedColor),
      word("word", \.word, E.word),
      word("maybe word", \.maybeWord, E.maybeWord),
      word("indexedWord", \.indexedWord, E.indexedWord),
      word("maybe indexedWord", \.maybeIndexedWord, E.maybeIndexedWord),
    ]
  }
}
