/// A C type as Swift and the database see it.
package struct CType: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Swift's name of a typedef's underlying number or Boolean, such as `Int32`.
    case scalar(String)
    case enumeration(CEnumeration)
    /// A type that no property can have, in words such as "a C struct".
    case unsupported(String)
  }

  package var kind: Kind
  /// Position of the first declaration.
  package var position: SourcePosition
  /// The module whose header declares the type; nil when no `--c-module` has that header.
  package var module: String?
  /// Position of a conflicting declaration in another header.
  package var conflict: SourcePosition?
}

/// A C type that Swift imports with a raw value: an enum, or a typedef marked as a new type.
package struct CEnumeration: Hashable, Sendable {
  /// The raw values that make a valid value.
  package enum Values: Hashable, Sendable {
    /// Every raw value; Swift imports the type as a struct.
    case all
    /// Swift enum that may gain cases; its initializer is failable.
    case open
    /// Swift enum with exactly these raw values.
    ///
    /// Swift does not check them: another raw value makes an invalid value.
    case closed([String])
  }

  /// Swift's name of the raw type, such as `UInt32`.
  package var rawType: String
  package var values: Values
}
