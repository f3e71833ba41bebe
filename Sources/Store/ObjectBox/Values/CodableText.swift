internal import Foundation

/// Converts values of properties with `// objectbox: codable`: any `Codable` type to JSON text and
/// back.
///
/// The keys of an object are sorted, so equal values have equal texts if their types encode
/// elements in a fixed order; a `Set` does not. Dates are seconds since 2001, without loss. Data is
/// base64. NaN and the infinities are refused: JSON lacks them. Generated code calls it.
///
///     // objectbox: entity
///     final class Draft {
///       var id: Id = 0
///       // objectbox: codable = { "default": "[:]" }
///       var fields: [String: [Int]] = [:]
///
///       init() {}
///     }
public enum CodableText {
  // Shared by all threads: calls only read the settings.
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
  private static let decoder = JSONDecoder()

  /// Returns the JSON text of a value; nil for nil.
  ///
  /// - Parameters:
  ///   - value: The value of a property.
  ///   - property: The name of the property, for the error.
  ///   - entity: The entity, for the error.
  ///   - id: The ID of the object, for the error.
  /// - Returns: One line.
  /// - Throws: ``ObjectBoxError/conversionFailed(entity:property:id:error:)`` with the error of the encoder.
  public static func text<T: Encodable>(
    of value: T?,
    property: StaticString,
    entity: EntityInfo,
    id: Id
  ) throws -> String? {
    guard let value else { return nil }
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch let error as EncodingError {
      throw failure(error, property, entity, id)
    } catch {
      let context = EncodingError.Context(
        codingPath: [],
        debugDescription: "\(error)",
        underlyingError: error
      )
      throw failure(EncodingError.invalidValue(value, context), property, entity, id)
    }
  }

  /// Returns the value of a JSON text; nil for nil.
  ///
  /// - Parameters:
  ///   - text: The text of a record.
  ///   - property: The name of the property, for the error.
  ///   - entity: The entity, for the error.
  ///   - id: The ID of the object, for the error.
  /// - Returns: The value.
  /// - Throws: ``ObjectBoxError/conversionFailed(entity:property:id:error:)`` with the error of the decoder.
  public static func value<T: Decodable>(
    of text: String?,
    property: StaticString,
    entity: EntityInfo,
    id: Id
  ) throws -> T? {
    guard let text else { return nil }
    do {
      return try decoder.decode(T.self, from: Data(text.utf8))
    } catch {
      throw failure(error, property, entity, id)
    }
  }

  /// Returns the value of a JSON text, or the default value for nil.
  ///
  /// Otherwise like the form without a default value.
  ///
  /// Throws ``ObjectBoxError/conversionFailed(entity:property:id:error:)`` with the error of the decoder.
  public static func value<T: Decodable>(
    of text: String?,
    property: StaticString,
    entity: EntityInfo,
    id: Id,
    default defaultValue: @autoclosure () -> T
  ) throws -> T {
    let value: T? = try value(of: text, property: property, entity: entity, id: id)
    return value ?? defaultValue()
  }

  private static func failure(
    _ error: any Error,
    _ property: StaticString,
    _ entity: EntityInfo,
    _ id: Id
  ) -> ObjectBoxError {
    .conversionFailed(
      entity: entity.entityName,
      property: "\(property)",
      id: id,
      error: error
    )
  }
}
