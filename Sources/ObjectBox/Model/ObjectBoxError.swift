public import Foundation

/// What a store, box or query throws; the message tells what was asked, what was found, what to do.
public enum ObjectBoxError: Swift.Error {
  /// A condition without a case of its own, with ObjectBox's number for it.
  case unknown(code: Int32, message: String)
  /// A write was begun inside a read transaction of the same thread.
  case cannotWriteWhileReading(message: String)
  /// Another object holds the same value of a unique property.
  case uniqueViolation(message: String)
  /// There is no object with the given ID.
  case notFound(message: String)
  /// The store, box or query is not in a state to do this; closed, for example.
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
  /// A rule about values is broken.
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
  /// Something about synchronisation.
  case sync(message: String)
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
      .cannotAttachToStore(let message), .sync(let message):
      message
    case .unexpected(let error): "\(error)"
    }
  }

  /// The name of the case and the message, such as `uniqueViolation: …`.
  public var description: String {
    let name = Mirror(reflecting: self).children.first?.label ?? "error"
    if case .unknown(let code, _) = self { return "\(name) \(code): \(message)" }
    return "\(name): \(message)"
  }

  /// The message.
  public var errorDescription: String? { message }
}
