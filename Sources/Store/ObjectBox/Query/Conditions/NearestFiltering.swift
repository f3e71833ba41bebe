/// When the conditions joined by `&&` to a search for nearest neighbours choose objects.
public enum NearestFiltering: Sendable, Hashable {
  /// Before the search: it finds the nearest of the objects that meet the other conditions, so it
  /// has `maxCount` results if so many objects meet them.
  case first
  /// After the search: it finds the nearest objects of the whole entity, of which the other
  /// conditions may leave fewer than `maxCount`.
  case afterwards
}
