public import Foundation

/// An error of a store, box or query; the message tells what was asked, what was found and what to do.
public enum ObjectBoxError: Swift.Error {
  /// A condition without a case of its own, with ObjectBox's number for it.
  case unknown(code: Int32, message: String)
  /// A write was begun inside a read transaction of the same thread.
  case cannotWriteWhileReading(message: String)
  /// Another object holds the same value of a unique property.
  case uniqueViolation(message: String)
  /// There is no object with the given ID.
  case notFound(message: String)
  /// The store, box or query is in a wrong state for the call; closed, for example.
  case illegalState(message: String)
  /// A value that is not allowed here.
  case illegalArgument(message: String)
  /// There is not enough memory.
  case allocation(message: String)
  /// This build lacks the feature.
  case featureNotAvailable(message: String)
  /// An error without a description.
  case noErrorInfo(message: String)
  /// An error of no other kind.
  case general(message: String)
  /// The file has reached its greatest size, or the disk is full.
  case dbFull(message: String)
  /// Too many threads read at the same time.
  case maxReadersExceeded(message: String)
  /// The store must be closed and opened again.
  case storeMustShutdown(message: String)
  /// The file or its directory cannot be used.
  case storageGeneral(message: String)
  /// A query for one object found several.
  case nonUniqueResult(message: String)
  /// A property was used as one of another type.
  case propertyTypeMismatch(message: String)
  /// A value breaks a rule of its property, or a removal a rule of a relation.
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
  /// A relation was used before its object was put.
  case cannotRelateToUnsavedEntities(message: String)
  /// No store is open on the directory.
  case cannotAttachToStore(message: String)
  /// An error that is not one of the library's.
  case unexpected(error: any Error)
  /// An error of synchronisation.
  case sync(message: String)
  /// A write block was begun inside another one.
  case alreadyInWriteTransaction(message: String)
  /// A write transaction that is not open was to be ended.
  case notInWriteTransaction(message: String)
  /// A transaction was used after its end.
  case transactionEnded(message: String)
  /// A frozen object was to be changed or observed.
  case frozen(message: String)
  /// An object or view is no longer valid.
  case invalidated(message: String)
  /// A live object or view was used outside of its actor, queue or thread.
  case wrongIsolation(message: String)
  /// A thread-safe reference was resolved a second time.
  case referenceAlreadyResolved(message: String)
  /// An object that was never stored was used where a stored one is needed.
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
  /// There is no actor or queue in which a block could be called back.
  case asyncWriteNotSchedulable(message: String)
  /// An observer was to begin after changes in the same write transaction.
  case observerAfterChanges(message: String)
  /// The object is not in the version that is asked for.
  case notInSnapshot(message: String)
  /// A value of a property with `codable` cannot be written as JSON (`error` is an `EncodingError`), or its
  /// text cannot be read (`error` is a `DecodingError` or an error of the type itself).
  case conversionFailed(entity: String, property: String, id: Id, error: any Error)
  /// The limit of versions that are kept alive is reached; the first number counts them.
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

  /// The message for a store whose greatest size is too small, as ObjectBox words it.
  static let tooSmallMessage = "Could not put"

  /// The name of the case and the message, such as `uniqueViolation: …`.
  public var description: String {
    let name = Mirror(reflecting: self).children.first?.label ?? "error"
    if case .unknown(let code, _) = self { return "\(name) \(code): \(message)" }
    if case .dbFull(Self.tooSmallMessage) = self {
      // Programs may compare the message, so only the description has the advice.
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
  static let damageAdvice =
    "restore the store from a backup, or save what can be read into a new one with 'objectbox salvage'"
}
