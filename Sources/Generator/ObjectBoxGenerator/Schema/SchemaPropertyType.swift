/// The type of a property in the database; model.json and the runtime share its number.
package enum SchemaPropertyType: UInt16, Sendable, CaseIterable {
  case bool = 1
  case byte = 2
  case short = 3
  case char = 4
  case int = 5
  case long = 6
  case float = 7
  case double = 8
  case string = 9
  case date = 10
  case relation = 11
  case dateNano = 12
  case flex = 13
  case boolVector = 22
  case byteVector = 23
  case shortVector = 24
  case charVector = 25
  case intVector = 26
  case longVector = 27
  case floatVector = 28
  case doubleVector = 29
  case stringVector = 30
  case dateVector = 31
  case dateNanoVector = 32

  /// The type of a vector's elements; nil for other types, including byte vectors.
  package var element: SchemaPropertyType? {
    switch self {
    case .boolVector: .bool
    case .shortVector: .short
    case .charVector: .char
    case .intVector: .int
    case .longVector: .long
    case .floatVector: .float
    case .doubleVector: .double
    case .stringVector: .string
    case .dateVector: .date
    case .dateNanoVector: .dateNano
    default: nil
    }
  }
}

/// The flags of a property; model.json and the runtime share their numbers.
package struct PropertyFlags: OptionSet, Hashable, Sendable {
  package var rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let id = Self(rawValue: 1)
  package static let indexed = Self(rawValue: 8)
  package static let unique = Self(rawValue: 32)
  package static let idSelfAssignable = Self(rawValue: 128)
  package static let indexPartialSkipNull = Self(rawValue: 256)
  package static let indexPartialSkipZero = Self(rawValue: 512)
  package static let indexHash = Self(rawValue: 2048)
  package static let indexHash64 = Self(rawValue: 4096)
  package static let unsigned = Self(rawValue: 8192)
  package static let idCompanion = Self(rawValue: 16384)
  package static let uniqueOnConflictReplace = Self(rawValue: 32768)
  package static let syncClock = Self(rawValue: 131072)
  package static let syncPrecedence = Self(rawValue: 262144)
  package static let uniqueOnConflictMerge = Self(rawValue: 536_870_912)
  package static let syncCounter = Self(rawValue: 1_073_741_824)
}

/// The flags of an entity; model.json and the runtime share their numbers.
package struct EntityFlags: OptionSet, Hashable, Sendable {
  package var rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let useNoArgConstructor = Self(rawValue: 1)
  package static let syncEnabled = Self(rawValue: 2)
  package static let sharedGlobalIds = Self(rawValue: 4)
  package static let syncResolve = Self(rawValue: 536_870_912)
  package static let syncPropertyClocks = Self(rawValue: 1_073_741_824)
}
