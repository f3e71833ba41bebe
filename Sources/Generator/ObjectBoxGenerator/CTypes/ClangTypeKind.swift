#if OBJECTBOX_LIBCLANG
  internal import CObjectBoxClang

  /// Determines how Swift imports a C type.
  enum ClangTypeKind {
    /// Typedefs that Swift maps by their names alone.
    private static let named = [
      "int64_t": "Int64", "uint64_t": "UInt64", "size_t": "Int", "rsize_t": "Int",
    ]

    static func kind(ofDeclaration cursor: CXCursor) -> CType.Kind {
      switch LibClang.getCursorKind(cursor) {
      case CXCursor_TypedefDecl: kind(ofTypedef: cursor)
      case CXCursor_EnumDecl: kind(ofEnum: cursor)
      case CXCursor_UnionDecl: .unsupported("a C union")
      default: .unsupported("a C struct")
      }
    }

    private static func kind(of type: CXType) -> CType.Kind {
      switch type.kind {
      case CXType_Elaborated: kind(of: LibClang.getNamedType(type))
      case CXType_Attributed: kind(of: LibClang.getModifiedType(type))
      case CXType_Typedef, CXType_Enum, CXType_Record:
        kind(ofDeclaration: LibClang.getTypeDeclaration(type))
      case CXType_Unexposed where LibClang.getCanonicalType(type).kind != CXType_Unexposed:
        kind(of: LibClang.getCanonicalType(type))
      default:
        builtin(type.kind).map { .scalar($0) }
          ?? .unsupported("the C type '\(String(consuming: LibClang.getTypeSpelling(type)))'")
      }
    }

    /// Returns Swift's name of a C number or Boolean; nil for types that cannot be stored.
    ///
    /// Sizes are taken from the platform on which the generator runs: it generates for the same
    /// platform.
    private static func builtin(_ kind: CXTypeKind) -> String? {
      switch kind {
      case CXType_Bool: "Bool"
      case CXType_Char_S, CXType_Char_U: "\(CChar.self)"
      case CXType_SChar: "\(CSignedChar.self)"
      case CXType_UChar: "\(CUnsignedChar.self)"
      case CXType_Short: "\(CShort.self)"
      case CXType_UShort: "\(CUnsignedShort.self)"
      case CXType_Int: "\(CInt.self)"
      case CXType_UInt: "\(CUnsignedInt.self)"
      case CXType_Long: "\(CLong.self)"
      case CXType_ULong: "\(CUnsignedLong.self)"
      case CXType_LongLong: "\(CLongLong.self)"
      case CXType_ULongLong: "\(CUnsignedLongLong.self)"
      case CXType_Float: "Float"
      case CXType_Double: "Double"
      default: nil
      }
    }

    private static func kind(ofTypedef cursor: CXCursor) -> CType.Kind {
      if let scalar = named[String(consuming: LibClang.getCursorSpelling(cursor))] {
        return .scalar(scalar)
      }
      let kind = kind(of: LibClang.getTypedefDeclUnderlyingType(cursor))
      if case .scalar(let rawType) = kind,
        hasAttribute("swift_newtype", on: cursor)
          || hasAttribute("swift_wrapper", on: cursor)
      {
        return .enumeration(CEnumeration(rawType: rawType, values: .all))
      }
      return kind
    }

    private static func kind(ofEnum cursor: CXCursor) -> CType.Kind {
      let definition = LibClang.getCursorDefinition(cursor)
      guard LibClang.isNull(definition) == 0 else {
        return .unsupported("a C enum without a definition")
      }
      guard case .scalar(let rawType) = kind(of: LibClang.getEnumDeclIntegerType(definition)) else {
        return .unsupported("a C enum of an unknown size")
      }
      let isSet = hasAttribute("flag_enum", on: definition)
      let values: CEnumeration.Values =
        switch argument(of: "enum_extensibility", on: definition) {
        case "closed" where !isSet: .closed(constants(of: definition))
        case "open" where !isSet: .open
        default: .all
        }
      return .enumeration(CEnumeration(rawType: rawType, values: values))
    }

    /// Returns the raw values of an enum in ascending order, each once.
    private static func constants(of cursor: CXCursor) -> [String] {
      let integer = LibClang.getCanonicalType(LibClang.getEnumDeclIntegerType(cursor)).kind
      let unsigned = [
        CXType_Bool, CXType_Char_U, CXType_UChar, CXType_UShort, CXType_UInt, CXType_ULong,
        CXType_ULongLong,
      ]
      let constants = ClangUnit.children(of: cursor)
        .filter { LibClang.getCursorKind($0) == CXCursor_EnumConstantDecl }
      if unsigned.contains(integer) {
        return Set(constants.map { LibClang.getEnumConstantDeclUnsignedValue($0) }).sorted()
          .map { "\($0)" }
      }
      return Set(constants.map { LibClang.getEnumConstantDeclValue($0) }).sorted().map { "\($0)" }
    }

    // MARK: Attributes

    private static func hasAttribute(_ name: String, on cursor: CXCursor) -> Bool {
      attributes(of: cursor).contains("((\(name)")
    }

    /// Returns the argument of an attribute; nil when the declaration lacks the attribute.
    static func argument(of attribute: String, on cursor: CXCursor) -> String? {
      let text = attributes(of: cursor)
      guard let start = text.firstRange(of: "((\(attribute)(")?.upperBound else { return nil }
      return text[start...].prefix { $0 != ")" }.filter { $0 != "\"" }
    }

    /// Returns the head of a declaration as libclang prints it: the only way to see some
    /// attributes.
    ///
    /// Empty for a declaration without attributes.
    private static func attributes(of cursor: CXCursor) -> String {
      guard
        ClangUnit.children(of: cursor)
          .contains(where: { LibClang.isAttribute(LibClang.getCursorKind($0)) != 0 })
      else { return "" }
      let policy = LibClang.getCursorPrintingPolicy(cursor)
      defer { LibClang.disposePrintingPolicy(policy) }
      LibClang.setProperty(policy, CXPrintingPolicy_TerseOutput, 1)
      return String(consuming: LibClang.getCursorPrettyPrinted(cursor, policy))
    }
  }
#endif
