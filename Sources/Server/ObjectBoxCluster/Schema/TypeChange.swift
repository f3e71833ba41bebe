internal import ObjectBox

/// A change of the type of a property whose column has values.
///
/// As in the embedded store, a change of signedness keeps a number's bits. In addition, a number
/// may change to a wider type, since PostgreSQL rewrites the table. Changes that could lose a value
/// are refused.
enum TypeChange {
  /// The column stays unchanged.
  case none
  /// The column is rewritten with an expression.
  case retype(using: String)

  /// Compares the old and new version of a property; nil when values could be lost.
  ///
  /// - Parameters:
  ///   - old: The property that the column was made for.
  ///   - new: The property of the model.
  ///   - name: The name of the column, quoted.
  init?(from old: PropertySchema, to new: PropertySchema, column name: String) {
    let (from, to) = (ColumnKind(old), ColumnKind(new))
    if Self.areFamily(old.type, new.type) {
      switch (from, to) {
      case _ where from == to && !Self.changesSign(old, new): self = .none
      case (.numeric, .text): self = .retype(using: "\(name)::text")
      case (.text, .numeric): self = .retype(using: Self.decimal(name))
      case (.bytes, .uuid): self = .retype(using: "encode(\(name), 'hex')::uuid")
      case (.uuid, .bytes): self = .retype(using: "uuid_send(\(name))")
      default:
        guard let width = old.type.width else {
          // Vectors of unsigned numbers have columns of signed numbers.
          guard from == to else { return nil }
          self = .none
          return
        }
        if width == 64 {
          self = .none
        } else {
          self = .retype(using: Self.withSign(of: new, width, name, as: to))
        }
      }
      return
    }
    if old.type == .float, new.type == .double {
      self = .retype(using: "\(name)::double precision")
      return
    }
    guard let oldWidth = old.type.width, let newWidth = new.type.width, oldWidth < newWidth,
      old.has(.unsigned) || !new.has(.unsigned)
    else { return nil }
    self = from == to ? .none : .retype(using: "\(name)::\(to.sql)")
  }

  /// The expression of the decimal in a text; fails for other texts.
  ///
  /// PostgreSQL also accepts blanks, `NaN` and `Infinity`, which are no decimals for this library.
  private static func decimal(_ name: String) -> String {
    let form = "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,4})?$"
    return "(CASE WHEN \(name) !~ '\(form)' THEN 'no decimal' ELSE \(name) END)::numeric"
  }

  /// Returns true if the embedded store reads values of one type as values of the other.
  private static func areFamily(_ a: PropertyType, _ b: PropertyType) -> Bool {
    let families: [Set<PropertyType>] = [
      [.byteVector, .flex], [.byte, .unknown], [.short, .char],
    ]
    return a == b || families.contains { $0.contains(a) && $0.contains(b) }
  }

  private static func changesSign(_ old: PropertySchema, _ new: PropertySchema) -> Bool {
    guard old.type.width != nil else { return false }
    return old.has(.unsigned) != new.has(.unsigned)
  }

  /// The expression of the number with the same bits, read as signed or unsigned.
  private static func withSign(
    of new: PropertySchema,
    _ width: Int,
    _ name: String,
    as kind: ColumnKind
  ) -> String {
    let (mask, half) = ((1 << width) - 1, 1 << (width - 1))
    return new.has(.unsigned)
      ? "(\(name)::bigint & \(mask))::\(kind.sql)"
      : "(((\(name)::bigint + \(half)) & \(mask)) - \(half))::\(kind.sql)"
  }
}

extension PropertyType {
  /// The number of bits of a plain integer type; nil for other types.
  fileprivate var width: Int? {
    switch self {
    case .byte, .unknown: 8
    case .short, .char: 16
    case .int: 32
    case .long: 64
    default: nil
    }
  }
}
