public import Foundation

/// URLs are stored as the text of `absoluteString`; conditions can also compare this text.
extension URL: SortedEncodedValue, StringPropertyType {
  /// The type in the database: a string.
  public static var entityPropertyType: PropertyType { .string }

  /// None: in the model, the property is a plain string.
  public static var __externalTypes: [ExternalPropertyType] { [] }

  /// `about:blank`.
  public static var __null: URL { URL(string: "about:blank") ?? URL(fileURLWithPath: "/") }

  /// Returns nil for a text that is not a URL as RFC 3986 writes it.
  public static func __decode(_ bytes: UnsafeRawBufferPointer) -> URL? {
    URL(string: String(decoding: bytes, as: UTF8.self), encodingInvalidCharacters: false)
  }

  /// Calls a body with the UTF-8 of the text; nil for a URL that its text does not restore.
  public func __withEncoding<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T? {
    var text = absoluteString
    return text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      return Self.__decode(bytes) == nil ? nil : body(bytes)
    }
  }
}
