/// A C type as Swift and the database see it.
package struct CType: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Swift's name of the number or Boolean that a typedef stands for, such as `Int32`.
    case scalar(String)
    case enumeration(CEnumeration)
    /// A type that no property can have, in words such as "a C struct".
    case unsupported(String)
  }

  package var kind: Kind
  /// The first declaration.
  package var position: SourcePosition
  /// The module whose header declares it; nil when no `--c-module` has that header.
  package var module: String?
  /// A declaration in another header as something else.
  package var conflict: SourcePosition?
}

/// A C type that Swift imports with a raw value: an enum, or a typedef marked as a new type.
package struct CEnumeration: Hashable, Sendable {
  /// The raw values from which Swift makes values.
  package enum Values: Hashable, Sendable {
    /// Any raw value makes a value; Swift imports the type as a struct.
    case all
    /// A Swift enum that may get further cases; its initializer is failable.
    case open
    /// A Swift enum with exactly these raw values. Swift does not check them: another one makes an invalid
    /// value.
    case closed([String])
  }

  /// Swift's name of the raw type, such as `UInt32`.
  package var rawType: String
  package var values: Values
}
