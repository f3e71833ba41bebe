import Foundation
import ObjectBox
import ObjectBoxCluster
import Testing

/// Conditions whose values are set after a query was built.
extension Columns {
  /// How the parameters of a property are set, in a store and in a cluster.
  struct ParameterSetting<Value> {
    var one: (Query<E>, Value) -> Void
    var list: (Query<E>, [Value]) -> Void
    var oneInCluster: (inout ClusterQuery<E>, Value) -> Void
    var listInCluster: (inout ClusterQuery<E>, [Value]) -> Void
  }

  /// Makes a check in which an equality, a comparison and a list get each value as their parameter.
  private static func parameters<Value>(
    _ rows: [Value?],
    _ values: [Value],
    _ conditions: (equal: QueryCondition<E>, less: QueryCondition<E>, list: QueryCondition<E>),
    _ setting: ParameterSetting<Value>,
    isEqual: @escaping (Value, Value) -> Bool,
    precedes: @escaping (Value, Value) -> Bool
  ) -> Check {
    func matching(_ isMatch: (Value) -> Bool) -> [Int] {
      rows.indices.filter { rows[$0].map(isMatch) ?? false }
    }
    func expected(_ value: Value) -> [[Int]] {
      [
        matching { isEqual($0, value) }, matching { precedes($0, value) },
        matching { isEqual($0, value) || isEqual($0, values[0]) },
      ]
    }
    return Check(
      name: "parameters",
      onStore: { store in
        let equal = try store.rows.query { conditions.equal }.build()
        let less = try store.rows.query { conditions.less }.build()
        let list = try store.rows.query { conditions.list }.build()
        for value in values {
          setting.one(equal, value)
          setting.one(less, value)
          setting.list(list, [value, values[0]])
          let found = try [equal, less, list].map { Matrix.numbers(try $0.findIds()) }
          #expect(found == expected(value), "\(value)")
        }
      },
      onCluster: { rows in
        var equal = rows.query { conditions.equal }
        var less = rows.query { conditions.less }
        var list = rows.query { conditions.list }
        for value in values {
          setting.oneInCluster(&equal, value)
          setting.oneInCluster(&less, value)
          setting.listInCluster(&list, [value, values[0]])
          var found: [[Int]] = []
          for query in [equal, less, list] {
            found.append(Matrix.numbers(try await query.findIds()))
          }
          #expect(found == expected(value), "\(value)")
        }
      }
    )
  }

  static func integerParameters<P: ScalarPropertyType, S: MatrixInteger>(
    _ property: Property<E, P, Void>,
    _ rows: [S?],
    _ values: [S]
  ) -> Check where P.Scalar == S {
    let a = values[0]
    return parameters(
      rows,
      values,
      (property == a, property < a, property.isIn([a])),
      ParameterSetting(
        one: { $0.setParameter(property, to: $1) },
        list: { $0.setParameters(property, to: $1) },
        oneInCluster: { $0.setParameter(property, to: $1) },
        listInCluster: { $0.setParameters(property, to: $1) }
      ),
      isEqual: ==,
      precedes: <
    )
  }

  static func floatParameters<P: ScalarPropertyType, S: MatrixFloat>(
    _ property: Property<E, P, Void>,
    _ rows: [S?],
    _ values: [S]
  ) -> Check where P.Scalar == S {
    let a = values[0]
    return parameters(
      rows,
      values,
      (property == a, property < a, property ∈ [a]),
      ParameterSetting(
        one: { $0.setParameter(property, to: $1) },
        list: { $0.setParameters(property, to: $1) },
        oneInCluster: { $0.setParameter(property, to: $1) },
        listInCluster: { $0.setParameters(property, to: $1) }
      ),
      isEqual: ==,
      precedes: <
    )
  }

  static func dateParameters<P: DatePropertyType>(
    _ property: Property<E, P, Void>,
    _ rows: [Date?],
    _ values: [Date],
    isSame: @escaping (Date, Date) -> Bool
  ) -> Check {
    let a = values[0]
    return parameters(
      rows,
      values,
      (property == a, property < a, property ∈ [a]),
      ParameterSetting(
        one: { $0.setParameter(property, to: $1) },
        list: { $0.setParameters(property, to: $1) },
        oneInCluster: { $0.setParameter(property, to: $1) },
        listInCluster: { $0.setParameters(property, to: $1) }
      ),
      isEqual: isSame,
      precedes: <
    )
  }

  static func textParameters<P: StringPropertyType>(
    _ property: Property<E, P, Void>,
    _ rows: [String?],
    _ values: [String],
    isSame: @escaping (String, String) -> Bool,
    precedes: @escaping (String, String) -> Bool
  ) -> Check {
    let a = values[0]
    return parameters(
      rows,
      values,
      (property == a, property < a, property.isIn([a])),
      ParameterSetting(
        one: { $0.setParameter(property, to: $1) },
        list: { $0.setParameters(property, to: $1) },
        oneInCluster: { $0.setParameter(property, to: $1) },
        listInCluster: { $0.setParameters(property, to: $1) }
      ),
      isEqual: isSame,
      precedes: precedes
    )
  }

  static func dataParameters<P: DataPropertyType>(
    _ property: Property<E, P, Void>,
    _ rows: [Data?],
    _ values: [Data]
  ) -> Check {
    let a = values[0]
    return parameters(
      rows,
      values,
      (property == a, property < a, property ∈ [a]),
      ParameterSetting(
        one: { $0.setParameter(property, to: $1) },
        list: { $0.setParameters(property, to: $1) },
        oneInCluster: { $0.setParameter(property, to: $1) },
        listInCluster: { $0.setParameters(property, to: $1) }
      ),
      isEqual: ==,
      precedes: { $0.lexicographicallyPrecedes($1) }
    )
  }

  static func byteParameters<P: ByteArrayPropertyType>(
    _ property: Property<E, P, Void>,
    _ rows: [[UInt8]?],
    _ values: [[UInt8]]
  ) -> Check {
    let a = values[0]
    return parameters(
      rows,
      values,
      (property == a, property < a, property ∈ [a]),
      ParameterSetting(
        one: { $0.setParameter(property, to: $1) },
        list: { $0.setParameters(property, to: $1) },
        oneInCluster: { $0.setParameter(property, to: $1) },
        listInCluster: { $0.setParameters(property, to: $1) }
      ),
      isEqual: ==,
      precedes: { $0.lexicographicallyPrecedes($1) }
    )
  }

  static func encodedParameters<P: EncodedPropertyType>(
    _ property: Property<E, P, Void>,
    _ rows: [P.Encoded?],
    _ values: [P.Encoded],
    precedes: @escaping (P.Encoded, P.Encoded) -> Bool
  ) -> Check where P.Encoded: SortedEncodedValue & Equatable {
    let a = values[0]
    return parameters(
      rows,
      values,
      (property == a, property < a, property ∈ [a]),
      ParameterSetting(
        one: { $0.setParameter(property, to: $1) },
        list: { $0.setParameters(property, to: $1) },
        oneInCluster: { $0.setParameter(property, to: $1) },
        listInCluster: { $0.setParameters(property, to: $1) }
      ),
      isEqual: ==,
      precedes: precedes
    )
  }
}
