import Foundation
import ObjectBox

/// An entity with the properties of the matrix: a class or a struct.
protocol MatrixEntity: Entity, EntityInspectable, __EntityRelatable, SendableMetatype
where EntityBindingType.EntityType == Self {
  init()

  var id: Id { get set }
  /// The same in all rows.
  var single: Int { get set }
  var int8: Int8 { get set }
  var maybeInt8: Int8? { get set }
  var indexedInt8: Int8 { get set }
  var maybeIndexedInt8: Int8? { get set }
  var int16: Int16 { get set }
  var maybeInt16: Int16? { get set }
  var indexedInt16: Int16 { get set }
  var maybeIndexedInt16: Int16? { get set }
  var int32: Int32 { get set }
  var maybeInt32: Int32? { get set }
  var indexedInt32: Int32 { get set }
  var maybeIndexedInt32: Int32? { get set }
  var int64: Int64 { get set }
  var maybeInt64: Int64? { get set }
  var indexedInt64: Int64 { get set }
  var maybeIndexedInt64: Int64? { get set }
  var int: Int { get set }
  var maybeInt: Int? { get set }
  var indexedInt: Int { get set }
  var maybeIndexedInt: Int? { get set }
  var uint8: UInt8 { get set }
  var maybeUint8: UInt8? { get set }
  var indexedUint8: UInt8 { get set }
  var maybeIndexedUint8: UInt8? { get set }
  var uint16: UInt16 { get set }
  var maybeUint16: UInt16? { get set }
  var indexedUint16: UInt16 { get set }
  var maybeIndexedUint16: UInt16? { get set }
  var uint32: UInt32 { get set }
  var maybeUint32: UInt32? { get set }
  var indexedUint32: UInt32 { get set }
  var maybeIndexedUint32: UInt32? { get set }
  var uint64: UInt64 { get set }
  var maybeUint64: UInt64? { get set }
  var indexedUint64: UInt64 { get set }
  var maybeIndexedUint64: UInt64? { get set }
  var uint: UInt { get set }
  var maybeUint: UInt? { get set }
  var indexedUint: UInt { get set }
  var maybeIndexedUint: UInt? { get set }
  var bool: Bool { get set }
  var maybeBool: Bool? { get set }
  var indexedBool: Bool { get set }
  var maybeIndexedBool: Bool? { get set }
  var float: Float { get set }
  var maybeFloat: Float? { get set }
  var double: Double { get set }
  var maybeDouble: Double? { get set }
  var string: String { get set }
  var maybeString: String? { get set }
  var indexedString: String { get set }
  var maybeIndexedString: String? { get set }
  var hashed: String { get set }
  var maybeHashed: String? { get set }
  var long64: String { get set }
  var maybeLong64: String? { get set }
  var nocase: String { get set }
  var maybeNocase: String? { get set }
  var date: Date { get set }
  var maybeDate: Date? { get set }
  var indexedDate: Date { get set }
  var maybeIndexedDate: Date? { get set }
  var precise: Date { get set }
  var maybePrecise: Date? { get set }
  var indexedPrecise: Date { get set }
  var maybeIndexedPrecise: Date? { get set }
  var data: Data { get set }
  var maybeData: Data? { get set }
  var bytes: [UInt8] { get set }
  var maybeBytes: [UInt8]? { get set }
  var int32s: [Int32] { get set }
  var maybeInt32s: [Int32]? { get set }
  var int64s: [Int64] { get set }
  var maybeInt64s: [Int64]? { get set }
  var floats: [Float] { get set }
  var maybeFloats: [Float]? { get set }
  var strings: [String] { get set }
  var maybeStrings: [String]? { get set }
  var uuid: UUID { get set }
  var maybeUuid: UUID? { get set }
  var indexedUuid: UUID { get set }
  var maybeIndexedUuid: UUID? { get set }
  var decimal: Decimal { get set }
  var maybeDecimal: Decimal? { get set }
  var indexedDecimal: Decimal { get set }
  var maybeIndexedDecimal: Decimal? { get set }
  var url: URL { get set }
  var maybeUrl: URL? { get set }
  var indexedUrl: URL { get set }
  var maybeIndexedUrl: URL? { get set }
  var color: Color { get set }
  var maybeColor: Color? { get set }
  var indexedColor: Color { get set }
  var maybeIndexedColor: Color? { get set }
  var word: Word { get set }
  var maybeWord: Word? { get set }
  var indexedWord: Word { get set }
  var maybeIndexedWord: Word? { get set }

  static var single: Property<Self, Int, Void> { get }
  static var int8: Property<Self, Int8, Void> { get }
  static var maybeInt8: Property<Self, Int8?, Void> { get }
  static var indexedInt8: Property<Self, Int8, Void> { get }
  static var maybeIndexedInt8: Property<Self, Int8?, Void> { get }
  static var int16: Property<Self, Int16, Void> { get }
  static var maybeInt16: Property<Self, Int16?, Void> { get }
  static var indexedInt16: Property<Self, Int16, Void> { get }
  static var maybeIndexedInt16: Property<Self, Int16?, Void> { get }
  static var int32: Property<Self, Int32, Void> { get }
  static var maybeInt32: Property<Self, Int32?, Void> { get }
  static var indexedInt32: Property<Self, Int32, Void> { get }
  static var maybeIndexedInt32: Property<Self, Int32?, Void> { get }
  static var int64: Property<Self, Int64, Void> { get }
  static var maybeInt64: Property<Self, Int64?, Void> { get }
  static var indexedInt64: Property<Self, Int64, Void> { get }
  static var maybeIndexedInt64: Property<Self, Int64?, Void> { get }
  static var int: Property<Self, Int, Void> { get }
  static var maybeInt: Property<Self, Int?, Void> { get }
  static var indexedInt: Property<Self, Int, Void> { get }
  static var maybeIndexedInt: Property<Self, Int?, Void> { get }
  static var uint8: Property<Self, UInt8, Void> { get }
  static var maybeUint8: Property<Self, UInt8?, Void> { get }
  static var indexedUint8: Property<Self, UInt8, Void> { get }
  static var maybeIndexedUint8: Property<Self, UInt8?, Void> { get }
  static var uint16: Property<Self, UInt16, Void> { get }
  static var maybeUint16: Property<Self, UInt16?, Void> { get }
  static var indexedUint16: Property<Self, UInt16, Void> { get }
  static var maybeIndexedUint16: Property<Self, UInt16?, Void> { get }
  static var uint32: Property<Self, UInt32, Void> { get }
  static var maybeUint32: Property<Self, UInt32?, Void> { get }
  static var indexedUint32: Property<Self, UInt32, Void> { get }
  static var maybeIndexedUint32: Property<Self, UInt32?, Void> { get }
  static var uint64: Property<Self, UInt64, Void> { get }
  static var maybeUint64: Property<Self, UInt64?, Void> { get }
  static var indexedUint64: Property<Self, UInt64, Void> { get }
  static var maybeIndexedUint64: Property<Self, UInt64?, Void> { get }
  static var uint: Property<Self, UInt, Void> { get }
  static var maybeUint: Property<Self, UInt?, Void> { get }
  static var indexedUint: Property<Self, UInt, Void> { get }
  static var maybeIndexedUint: Property<Self, UInt?, Void> { get }
  static var bool: Property<Self, Bool, Void> { get }
  static var maybeBool: Property<Self, Bool?, Void> { get }
  static var indexedBool: Property<Self, Bool, Void> { get }
  static var maybeIndexedBool: Property<Self, Bool?, Void> { get }
  static var float: Property<Self, Float, Void> { get }
  static var maybeFloat: Property<Self, Float?, Void> { get }
  static var double: Property<Self, Double, Void> { get }
  static var maybeDouble: Property<Self, Double?, Void> { get }
  static var string: Property<Self, String, Void> { get }
  static var maybeString: Property<Self, String?, Void> { get }
  static var indexedString: Property<Self, String, Void> { get }
  static var maybeIndexedString: Property<Self, String?, Void> { get }
  static var hashed: Property<Self, String, Void> { get }
  static var maybeHashed: Property<Self, String?, Void> { get }
  static var long64: Property<Self, String, Void> { get }
  static var maybeLong64: Property<Self, String?, Void> { get }
  static var nocase: Property<Self, String, Void> { get }
  static var maybeNocase: Property<Self, String?, Void> { get }
  static var date: Property<Self, Date, Void> { get }
  static var maybeDate: Property<Self, Date?, Void> { get }
  static var indexedDate: Property<Self, Date, Void> { get }
  static var maybeIndexedDate: Property<Self, Date?, Void> { get }
  static var precise: Property<Self, Date, Void> { get }
  static var maybePrecise: Property<Self, Date?, Void> { get }
  static var indexedPrecise: Property<Self, Date, Void> { get }
  static var maybeIndexedPrecise: Property<Self, Date?, Void> { get }
  static var data: Property<Self, Data, Void> { get }
  static var maybeData: Property<Self, Data?, Void> { get }
  static var bytes: Property<Self, [UInt8], Void> { get }
  static var maybeBytes: Property<Self, [UInt8]?, Void> { get }
  static var int32s: Property<Self, Int32ArrayPropertyType, Void> { get }
  static var maybeInt32s: Property<Self, Int32ArrayPropertyType?, Void> { get }
  static var int64s: Property<Self, Int64ArrayPropertyType, Void> { get }
  static var maybeInt64s: Property<Self, Int64ArrayPropertyType?, Void> { get }
  static var floats: Property<Self, FloatArrayPropertyType, Void> { get }
  static var maybeFloats: Property<Self, FloatArrayPropertyType?, Void> { get }
  static var strings: Property<Self, StringArrayPropertyType, Void> { get }
  static var maybeStrings: Property<Self, StringArrayPropertyType?, Void> { get }
  static var uuid: Property<Self, UUID, Void> { get }
  static var maybeUuid: Property<Self, UUID?, Void> { get }
  static var indexedUuid: Property<Self, UUID, Void> { get }
  static var maybeIndexedUuid: Property<Self, UUID?, Void> { get }
  static var decimal: Property<Self, Decimal, Void> { get }
  static var maybeDecimal: Property<Self, Decimal?, Void> { get }
  static var indexedDecimal: Property<Self, Decimal, Void> { get }
  static var maybeIndexedDecimal: Property<Self, Decimal?, Void> { get }
  static var url: Property<Self, URL, Void> { get }
  static var maybeUrl: Property<Self, URL?, Void> { get }
  static var indexedUrl: Property<Self, URL, Void> { get }
  static var maybeIndexedUrl: Property<Self, URL?, Void> { get }
  static var color: Property<Self, Int, Void> { get }
  static var maybeColor: Property<Self, Int?, Void> { get }
  static var indexedColor: Property<Self, Int, Void> { get }
  static var maybeIndexedColor: Property<Self, Int?, Void> { get }
  static var word: Property<Self, String, Void> { get }
  static var maybeWord: Property<Self, String?, Void> { get }
  static var indexedWord: Property<Self, String, Void> { get }
  static var maybeIndexedWord: Property<Self, String?, Void> { get }
}

extension Row: MatrixEntity {}
extension RowValue: MatrixEntity {}
