import ObjectBox

extension Columns {
  static func numbers() -> [Column] {
    var all: [Column] = []
    all += integers("int8", \.int8, Row.int8, \.maybeInt8, Row.maybeInt8)
    all += integers(
      "indexedInt8",
      \.indexedInt8,
      Row.indexedInt8,
      \.maybeIndexedInt8,
      Row.maybeIndexedInt8
    )
    all += integers("int16", \.int16, Row.int16, \.maybeInt16, Row.maybeInt16)
    all += integers(
      "indexedInt16",
      \.indexedInt16,
      Row.indexedInt16,
      \.maybeIndexedInt16,
      Row.maybeIndexedInt16
    )
    all += integers("int32", \.int32, Row.int32, \.maybeInt32, Row.maybeInt32)
    all += integers(
      "indexedInt32",
      \.indexedInt32,
      Row.indexedInt32,
      \.maybeIndexedInt32,
      Row.maybeIndexedInt32
    )
    all += integers("int64", \.int64, Row.int64, \.maybeInt64, Row.maybeInt64)
    all += integers(
      "indexedInt64",
      \.indexedInt64,
      Row.indexedInt64,
      \.maybeIndexedInt64,
      Row.maybeIndexedInt64
    )
    all += integers("int", \.int, Row.int, \.maybeInt, Row.maybeInt)
    all += integers(
      "indexedInt",
      \.indexedInt,
      Row.indexedInt,
      \.maybeIndexedInt,
      Row.maybeIndexedInt
    )
    all += integers("uint8", \.uint8, Row.uint8, \.maybeUint8, Row.maybeUint8)
    all += integers(
      "indexedUint8",
      \.indexedUint8,
      Row.indexedUint8,
      \.maybeIndexedUint8,
      Row.maybeIndexedUint8
    )
    all += integers("uint16", \.uint16, Row.uint16, \.maybeUint16, Row.maybeUint16)
    all += integers(
      "indexedUint16",
      \.indexedUint16,
      Row.indexedUint16,
      \.maybeIndexedUint16,
      Row.maybeIndexedUint16
    )
    all += integers("uint32", \.uint32, Row.uint32, \.maybeUint32, Row.maybeUint32)
    all += integers(
      "indexedUint32",
      \.indexedUint32,
      Row.indexedUint32,
      \.maybeIndexedUint32,
      Row.maybeIndexedUint32
    )
    all += integers("uint64", \.uint64, Row.uint64, \.maybeUint64, Row.maybeUint64)
    all += integers(
      "indexedUint64",
      \.indexedUint64,
      Row.indexedUint64,
      \.maybeIndexedUint64,
      Row.maybeIndexedUint64
    )
    all += integers("uint", \.uint, Row.uint, \.maybeUint, Row.maybeUint)
    all += integers(
      "indexedUint",
      \.indexedUint,
      Row.indexedUint,
      \.maybeIndexedUint,
      Row.maybeIndexedUint
    )
    all += booleans("bool", \.bool, Row.bool, \.maybeBool, Row.maybeBool)
    all += booleans(
      "indexedBool",
      \.indexedBool,
      Row.indexedBool,
      \.maybeIndexedBool,
      Row.maybeIndexedBool
    )
    all += floats("float", \.float, Row.float, \.maybeFloat, Row.maybeFloat)
    all += floats("double", \.double, Row.double, \.maybeDouble, Row.maybeDouble)
    return all
  }
}
