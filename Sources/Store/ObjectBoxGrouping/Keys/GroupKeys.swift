internal import ObjectBox

/// The keys of a grouped query, and the function that makes a row's key from their values.
package struct GroupKeys<Key> {
  package let sources: [KeySource]
  /// Makes a key from its values, which it gets by their positions.
  let decode: ((Int) -> GroupCell) -> Key

  package init<K: GroupingKey>(_ key: K) where Key == K.Value {
    sources = [key.groupKey.source]
    decode = { K.Value.__value(of: $0(0)) }
  }

  package init<K: GroupingKey, L: GroupingKey>(
    _ key: K,
    _ second: L
  ) where Key == (K.Value, L.Value) {
    sources = [key.groupKey.source, second.groupKey.source]
    decode = { (K.Value.__value(of: $0(0)), L.Value.__value(of: $0(1))) }
  }

  package init<K: GroupingKey, L: GroupingKey, M: GroupingKey>(
    _ key: K,
    _ second: L,
    _ third: M
  ) where Key == (K.Value, L.Value, M.Value) {
    sources = [key.groupKey.source, second.groupKey.source, third.groupKey.source]
    decode = {
      (K.Value.__value(of: $0(0)), L.Value.__value(of: $0(1)), M.Value.__value(of: $0(2)))
    }
  }
}
