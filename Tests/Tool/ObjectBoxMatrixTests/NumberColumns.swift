import ObjectBox

extension Columns {
  static func numbers() -> [Column<E>] {
    var all: [Column<E>] = []
    all += integers("int8", \.int8, E.int8, \.maybeInt8, E.maybeInt8)
    all += integers(
      "indexedInt8",
      \.indexedInt8,
      E.indexedInt8,
      \.maybeIndexedInt8,
      E.maybeIndexedInt8
    )
    all += integers("int16", \.int16, E.int16, \.maybeInt16, E.maybeInt16)
    all += integers(
      "indexedInt16",
      \.indexedInt16,
      E.indexedInt16,
      \.maybeIndexedInt16,
      E.maybeIndexedInt16
    )
    all += integers("int32", \.int32, E.int32, \.maybeInt32, E.maybeInt32)
    all += integers(
      "indexedInt32",
      \.indexedInt32,
      E.indexedInt32,
      \.maybeIndexedInt32,
      E.maybeIndexedInt32
    )
    all += integers("int64", \.int64, E.int64, \.maybeInt64, E.maybeInt64)
    all += integers(
      "indexedInt64",
      \.indexedInt64,
      E.indexedInt64,
      \.maybeIndexedInt64,
      E.maybeIndexedInt64
    )
    all += integers("int", \.int, E.int, \.maybeInt, E.maybeInt)
    all += integers(
      "indexedInt",
      \.indexedInt,
      E.indexedInt,
      \.maybeIndexedInt,
      E.maybeIndexedInt
    )
    all += integers("uint8", \.uint8, E.uint8, \.maybeUint8, E.maybeUint8)
    all += integers(
      "indexedUint8",
      \.indexedUint8,
      E.indexedUint8,
      \.maybeIndexedUint8,
      E.maybeIndexedUint8
    )
    all += integers("uint16", \.uint16, E.uint16, \.maybeUint16, E.maybeUint16)
    all += integers(
      "indexedUint16",
      \.indexedUint16,
      E.indexedUint16,
      \.maybeIndexedUint16,
      E.maybeIndexedUint16
    )
    all += integers("uint32", \.uint32, E.uint32, \.maybeUint32, E.maybeUint32)
    all += integers(
      "indexedUint32",
      \.indexedUint32,
      E.indexedUint32,
      \.maybeIndexedUint32,
      E.maybeIndexedUint32
    )
    all += integers("uint64", \.uint64, E.uint64, \.maybeUint64, E.maybeUint64)
    all += integers(
      "indexedUint64",
      \.indexedUint64,
      E.indexedUint64,
      \.maybeIndexedUint64,
      E.maybeIndexedUint64
    )
    all += integers("uint", \.uint, E.uint, \.maybeUint, E.maybeUint)
    all += integers(
      "indexedUint",
      \.indexedUint,
      E.indexedUint,
      \.maybeIndexedUint,
      E.maybeIndexedUint
    )
    all += booleans("bool", \.bool, E.bool, \.maybeBool, E.maybeBool)
    all += booleans(
      "indexedBool",
      \.indexedBool,
      E.indexedBool,
      \.maybeIndexedBool,
      E.maybeIndexedBool
    )
    all += floats("float", \.float, E.float, \.maybeFloat, E.maybeFloat)
    all += floats("double", \.double, E.double, \.maybeDouble, E.maybeDouble)
    return all
  }
}
