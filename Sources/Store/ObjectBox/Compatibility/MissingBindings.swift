// Stand-ins for generated declarations, so that the compiler says why a call finds none.
//
// Bindings win, also those of another module: the compiler prefers available declarations.

/// A box for a type that has no bindings.
@available(*, unavailable)
public struct BoxWithoutBindings: Sendable { private init() {} }

@available(
  *,
  unavailable,
  message:
    "this target has no bindings: add the plugin 'ObjectBoxPlugin' to it in Package.swift, and annotate its entities with '// objectbox: entity'; if another target has the entities, give it the visibility 'public' in objectbox-generator.json, and import it"
)
extension Store {
  /// Does not compile without bindings.
  public convenience init(
    directoryPath: String,
    maxDbSizeInKByte: UInt64 = 1_048_576,
    fileMode: UInt32 = 0o644,
    maxReaders: UInt32 = 0,
    readOnly: Bool = false
  ) throws { fatalError() }

  /// Does not compile without bindings.
  public convenience init(configuration: Configuration) throws { fatalError() }

  /// Does not compile without bindings.
  public static func open(
    directoryPath: String,
    maxDbSizeInKByte: UInt64 = 1_048_576,
    fileMode: UInt32 = 0o644,
    maxReaders: UInt32 = 0,
    readOnly: Bool = false
  ) async throws -> Store { fatalError() }

  /// Does not compile without bindings.
  public static func open(configuration: Configuration) async throws -> Store { fatalError() }
}

extension Store {
  /// Does not compile without the type's bindings.
  @available(
    *,
    unavailable,
    message:
      "the type has no bindings: annotate it with '// objectbox: entity' in a target with the plugin 'ObjectBoxPlugin', and import that target; a generic type needs the constraints of 'Box'"
  )
  public func box<T>(for type: T.Type = T.self) -> BoxWithoutBindings { fatalError() }
}
