public import Foundation

/// An error of a store, box or query; the message says what was asked, what was found and what to
/// do.
///
///     do {
///       try authors.put(Author(name: "Ada", email: "ada@example.org"))
///     } catch ObjectBoxError.uniqueViolation(let message) {
///       print(message)
///     }
public enum ObjectBoxError: Swift.Error {
  /// An error without a case of its own, with ObjectBox's error code.
  case unknown(code: Int32, message: String)
  /// A write was begun inside a read transaction of the same thread.
  case cannotWriteWhileReading(message: String)
  /// Another object holds the same value of a unique property.
  case uniqueViolation(message: String)
  /// There is no object with the given ID.
  case notFound(message: String)
  /// The store, box or query is in the wrong state for the call, such as closed.
  case illegalState(message: String)
  /// A value that is not allowed here.
  case illegalArgument(message: String)
  /// There is not enough memory.
  case allocation(message: String)
  /// This build lacks the feature.
  case featureNotAvailable(message: String)
  /// An error without a description.
  case noErrorInfo(message: String)
  /// Any other error.
  case general(message: String)
  /// The file has reached its maximum size, or the disk is full.
  case dbFull(message: String)
  /// Too many threads read at the same time.
  case maxReadersExceeded(message: String)
  /// The store must be closed and opened again.
  case storeMustShutdown(message: String)
  /// The file or its directory cannot be used.
  case storageGeneral(message: String)
  /// A query for one object found several.
  case nonUniqueResult(message: String)
  /// A property was used with another type than its own.
  case propertyTypeMismatch(message: String)
  /// A value breaks a rule of its property, or a removal breaks a rule of a relation.
  case constraintViolated(message: String)
  /// A value that the standard library refuses.
  case stdIllegalArgument(message: String)
  /// A value out of range.
  case stdOutOfRange(message: String)
  /// A length that is not allowed.
  case stdLength(message: String)
  /// There is not enough memory.
  case stdBadAlloc(message: String)
  /// A result out of range.
  case stdRange(message: String)
  /// A number that does not fit.
  case stdOverflow(message: String)
  /// Another error of the standard library.
  case stdOther(message: String)
  /// The model does not fit the store file.
  case schema(message: String)
  /// The file is damaged.
  case fileCorrupt(message: String)
  /// Pages of the file are damaged.
  case filePagesCorrupt(message: String)
  /// A relation was used before the object that holds it was put.
  case cannotRelateToUnsavedEntities(message: String)
  /// No store is open on the directory.
  case cannotAttachToStore(message: String)
  /// An error that does not come from this library.
  case unexpected(error: any Error)
  /// An error of synchronisation.
  case sync(message: String)
  /// A write block was begun inside another write block.
  case alreadyInWriteTransaction(message: String)
  /// A call tried to end a write transaction that is not open.
  case notInWriteTransaction(message: String)
  /// A transaction was used after its end.
  case transactionEnded(message: String)
  /// A call tried to change or observe a frozen object.
  case frozen(message: String)
  /// An object or view is no longer valid.
  case invalidated(message: String)
  /// A live object or view was used outside of its actor, queue or thread.
  case wrongIsolation(message: String)
  /// A thread-safe reference was resolved a second time.
  case referenceAlreadyResolved(message: String)
  /// An object that was never stored was used where a stored object is needed.
  case unmanagedObject(message: String)
  /// An object, view or query of another store was used.
  case differentStore(message: String)
  /// The store is open with another configuration.
  case mismatchedConfiguration(message: String)
  /// The store was opened for reading only.
  case readOnly(message: String)
  /// The store is closed.
  case closed(message: String)
  /// A notification token of another store was used.
  case foreignToken(message: String)
  /// There is no actor or queue on which the block could be called.
  case asyncWriteNotSchedulable(message: String)
  /// An observer began after changes in the same write transaction.
  case observerAfterChanges(message: String)
  /// The object is not in the requested version.
  case notInSnapshot(message: String)
  /// A value of a `codable` property cannot be written as JSON, or its text cannot be read.
  ///
  /// `error` is an `EncodingError`, a `DecodingError`, or an error of the type itself.
  case conversionFailed(entity: String, property: String, id: Id, error: any Error)
  /// The limit of versions that are kept alive is reached; the first value is their number.
  case tooManyActiveVersions(Int, limit: Int)
}

extension ObjectBoxError: CustomStringConvertible, LocalizedError {
  /// The text of the error.
  public var message: String {
    switch self {
    case .unknown(_, let message), .cannotWriteWhileReading(let message),
      .uniqueViolation(let message), .notFound(let message), .illegalState(let message),
      .illegalArgument(let message), .allocation(let message), .featureNotAvailable(let message),
      .noErrorInfo(let message), .general(let message), .dbFull(let message),
      .maxReadersExceeded(let message), .storeMustShutdown(let message),
      .storageGeneral(let message), .nonUniqueResult(let message),
      .propertyTypeMismatch(let message), .constraintViolated(let message),
      .stdIllegalArgument(let message), .stdOutOfRange(let message), .stdLength(let message),
      .stdBadAlloc(let message), .stdRange(let message), .stdOverflow(let message),
      .stdOther(let message), .schema(let message), .fileCorrupt(let message),
      .filePagesCorrupt(let message), .cannotRelateToUnsavedEntities(let message),
      .cannotAttachToStore(let message), .sync(let message),
      .alreadyInWriteTransaction(let message),
      .notInWriteTransaction(let message),
      .transactionEnded(let message),
      .frozen(let message),
      .invalidated(let message),
      .wrongIsolation(let message),
      .referenceAlreadyResolved(let message),
      .unmanagedObject(let message),
      .differentStore(let message),
      .mismatchedConfiguration(let message),
      .readOnly(let message),
      .closed(let message),
      .foreignToken(let message),
      .asyncWriteNotSchedulable(let message),
      .observerAfterChanges(let message),
      .notInSnapshot(let message):
      message
    case .tooManyActiveVersions(let count, let limit):
      "\(count) versions of the store are kept alive by snapshots and live views, and \(limit) are "
        + "allowed; release some before the next write; store.activeVersions tells which calls made "
        + "their holders"
    case .conversionFailed(let entity, let property, let id, let error):
      error is EncodingError
        ? "cannot write '\(entity).\(property)' of the object with ID \(id) as JSON: \(error); put a value "
          + "that JSON can hold"
        : "cannot read '\(entity).\(property)' of the object with ID \(id) from its JSON: \(error); let its "
          + "type decode such a text, or put another with store.box(named: \"\(entity)\")"
    case .unexpected(let error): "\(error)"
    }
  }

  /// The message for a store whose maximum size is too small, in ObjectBox's words.
  static let tooSmallMessage = "Could not put"

  /// The name of the case and the message, such as `uniqueViolation: …`.
  public var description: String {
    let name = Mirror(reflecting: self).children.first?.label ?? "error"
    if case .unknown(let code, _) = self { return "\(name) \(code): \(message)" }
    if case .dbFull(Self.tooSmallMessage) = self {
      // Programs may compare the message, so only the description contains advice.
      return
        "\(name): \(message): the greatest size of the store is below the 16 KiB that an empty one "
        + "takes; open it with a greater maxDbSizeInKByte, such as 1048576 for 1 GiB"
    }
    return "\(name): \(message)"
  }

  /// The message.
  public var errorDescription: String? { message }
}

extension ObjectBoxError {
  /// The end of the messages of `fileCorrupt`.
  package static let damageAdvice =
    "restore the store from a backup, or save what can be read into a new one with 'objectbox salvage'"
}
