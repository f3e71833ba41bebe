public import Foundation

/// UUIDs are stored as their 16 bytes in the order of RFC 4122, so byte order equals text order.
extension UUID: SortedEncodedValue {
  /// The type in the database: 16 bytes.
  public static var entityPropertyType: PropertyType { .byteVector }

  /// UUIDs, and random UUIDs, which are stored alike.
  public static var __externalTypes: [ExternalPropertyType] { [.uuid, .uuidV4] }

  /// All zero.
  public static var __null: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

  /// Returns nil unless there are 16 bytes.
  public static func __decode(_ bytes: UnsafeRawBufferPointer) -> UUID? {
    guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  /// Calls a body with the 16 bytes.
  public func __withEncoding<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T? {
    withUnsafeBytes(of: uuid, body)
  }
}

/// A UUID or optional UUID; for source compatibility.
public protocol UUIDPropertyType: EncodedPropertyType where Encoded == UUID {}

extension UUID: UUIDPropertyType {}
extension Optional: UUIDPropertyType where Wrapped: UUIDPropertyType {}
