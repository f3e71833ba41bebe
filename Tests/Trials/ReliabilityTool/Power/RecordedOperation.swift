import Foundation

/// A file call that the shim recorded.
enum RecordedOperation: Sendable {
  case create(file: Int, path: String)
  /// A write; `isThrough` if the descriptor syncs each write.
  case write(file: Int, offset: Int, bytes: [UInt8], isThrough: Bool)
  case sync(file: Int)
  case truncate(file: Int, size: Int)
  case rename(from: String, to: String)
  /// A further name of a file.
  case link(from: String, to: String)
  case unlink(path: String)
  case makeDirectory(path: String)
  case syncDirectory(path: String)
  case mark(String)
  /// A file that was there before the log began.
  case known(file: Int, path: String)
  /// A sync that failed.
  case failedSync(file: Int)
  /// A write that failed on its way from the system's cache to the disk.
  case forgottenWrite(file: Int, offset: Int, bytes: [UInt8])

  /// Reads a log.
  static func log(at path: String) throws -> [RecordedOperation] {
    let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var operations: [RecordedOperation] = []
    var position = 0
    while position + 24 <= data.count {
      let (number, file, offset, count) = data.withUnsafeBytes { bytes in
        (
          bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self),
          Int(bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)),
          Int(bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)),
          Int(bytes.loadUnaligned(fromByteOffset: position + 16, as: UInt64.self))
        )
      }
      position += 24
      guard position + count <= data.count else { throw TrialError("the log '\(path)' is cut") }
      let bytes = Array(data[position..<position + count])
      position += count
      operations.append(try make(number, file: file, offset: offset, bytes: bytes))
    }
    return operations
  }

  private static func make(
    _ number: UInt32,
    file: Int,
    offset: Int,
    bytes: [UInt8]
  ) throws -> RecordedOperation {
    var text: String { String(decoding: bytes, as: UTF8.self) }
    switch number {
    case 1: return .create(file: file, path: text)
    case 2, 3: return .write(file: file, offset: offset, bytes: bytes, isThrough: number == 3)
    case 4: return .sync(file: file)
    case 5: return .truncate(file: file, size: offset)
    case 6, 11:
      let names = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      guard names.count == 2 else { throw TrialError("a rename of \(names)") }
      return number == 6
        ? .rename(from: names[0], to: names[1]) : .link(from: names[0], to: names[1])
    case 7: return .unlink(path: text)
    case 8: return .makeDirectory(path: text)
    case 9: return .syncDirectory(path: text)
    case 10: return .mark(text)
    case 12: return .known(file: file, path: text)
    case 13: return .failedSync(file: file)
    case 14: return .forgottenWrite(file: file, offset: offset, bytes: bytes)
    default: throw TrialError("the log has an operation \(number)")
    }
  }
}
