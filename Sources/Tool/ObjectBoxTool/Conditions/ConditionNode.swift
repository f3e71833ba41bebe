internal import ObjectBox

/// A parsed condition whose names are not resolved yet.
package indirect enum ConditionNode {
  case all([ConditionNode])
  case any([ConditionNode])
  case comparison(Comparison)
  /// A condition on the objects at the end of a relation.
  case link(Path, ConditionNode)
  /// A comparison of an aggregate of the related objects that meet a condition.
  case aggregate(Path, ConditionNode?, Aggregate)

  package struct Aggregate {
    var function: LinkAggregate.Function
    /// The property of the related objects; nil for their number.
    var property: Word?
    var comparison: Comparison
  }

  /// A name, or several names separated by points.
  package struct Path {
    var names: [Word]

    var range: Range<String.Index> {
      (names.first?.range.lowerBound ?? "".startIndex)..<(names.last?.range.upperBound
        ?? "".endIndex)
    }
  }

  struct Word {
    var text: String
    var range: Range<String.Index>
  }

  enum Operation {
    case isNull, isNotNull, equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case between, isIn, isNotIn, startsWith, endsWith, contains
    /// The first value is the vector; the second is the number of neighbours.
    case isNearest
    /// The value is the text of a search for words.
    case matches
  }

  package struct Comparison {
    var path: Path
    var operation: Operation
    var values: [Value]
    var ignoresCase: Bool
    /// The whole comparison.
    var range: Range<String.Index>
  }

  struct Value {
    enum Content: Equatable {
      /// A number, a date or bytes.
      case literal(String)
      case text(String)
      case boolean(Bool)
      case null
      case list([Value])
    }

    var content: Content
    var range: Range<String.Index>
  }
}

extension ConditionNode.Value: Equatable {}
