internal import CObjectBoxHooks

/// The engine of full-text indexes; `ObjectBoxSearch` has it, if the program links it.
package protocol FullTextEngine: Sendable {
  /// Returns the version and settings of the tokenizer that splits the texts of an index.
  ///
  /// - Throws: An error in words for a language whose rules the program lacks.
  func tokenizer(of index: FullTextIndexSchema) throws -> [UInt8]
}

/// A call of the core that asks for the engine of full-text indexes.
///
/// A class, because a reference is passed through a C function.
package final class EngineCall {
  /// The engine.
  package var engine: (any FullTextEngine)?

  private init() {}

  /// The engine; nil in programs without `ObjectBoxSearch`.
  package static let engine: (any FullTextEngine)? = {
    guard let answer = obx_full_text() else { return nil }
    let call = EngineCall()
    // The C function does not keep the reference.
    withExtendedLifetime(call) { answer(Unmanaged.passUnretained(call).toOpaque()) }
    return call.engine
  }()
}

extension StoreSchema {
  /// Checks that the program has the engine of the model's full-text indexes.
  ///
  /// Without the engine, puts would skip the indexes.
  ///
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when it has none.
  func checkEngine(location: String) throws {
    guard EngineCall.engine == nil,
      let entity = entities.first(where: { !$0.fullTextIndexes.isEmpty })
    else { return }
    throw ObjectBoxError.illegalState(
      message:
        "cannot open store at '\(location)': '\(entity.name)' has a full-text index, and the program lacks the "
        + "module 'ObjectBoxSearch', which has the engine; add `import ObjectBoxSearch`, and the product to the "
        + "target's dependencies"
    )
  }
}
