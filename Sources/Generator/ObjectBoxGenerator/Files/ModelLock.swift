internal import Foundation

/// The exclusive right of one run to write a model file.
///
/// An advisory lock on the model's folder. It leaves nothing behind, even when the process is
/// killed.
final class ModelLock {
  /// Default of the longest wait for another run.
  static let usualPatience = Duration.seconds(60)
  private static let interval: UInt32 = 20_000

  private var descriptors: [Int32] = []
  /// The folder that was locked last.
  private var locked: String?
  private let model: String
  private let folder: String
  /// Longest wait for another run.
  private let patience: Duration
  /// Reason why the folder cannot be locked, such as a file system without locks; nil when it is
  /// locked.
  private(set) var fault: String?

  /// Waits for the lock and takes it.
  ///
  /// While the model's folder does not exist, the nearest existing folder above it is locked; see
  /// ``makeFolder()``.
  ///
  /// - Throws: ``FileFault`` when another run holds the lock for longer than `patience`.
  init(of model: String, patience: Duration) throws(FileFault) {
    self.model = model
    self.patience = patience
    folder = FileWriter.followLinks(model).deletingLastPathComponent().standardizedFileURL.path
    var nearest: String
    repeat {
      unlock()
      nearest = Self.nearestFolder(to: folder)
      try lock(nearest)
      // Another run may have created the folder during the wait.
    } while Self.nearestFolder(to: folder) != nearest
  }

  deinit { unlock() }

  /// Creates the model's folder if it is missing, and locks it.
  ///
  /// Read the model after this call: another run may have locked the new folder first.
  ///
  /// - Throws: ``FileFault`` as in the initializer, and when the folder cannot be created.
  func makeFolder() throws(FileFault) {
    // A folder that exists may be another run's work since the lock on the one above it.
    guard locked != folder else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: true
      )
    } catch {
      throw FileFault("write", model, error)
    }
    try lock(folder)
  }

  private func unlock() {
    // Closing a descriptor releases its lock.
    for descriptor in descriptors { close(descriptor) }
    descriptors = []
    locked = nil
  }

  private func lock(_ path: String) throws(FileFault) {
    locked = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      fault = String(cString: strerror(errno))
      return
    }
    descriptors.append(descriptor)
    let clock = ContinuousClock()
    let end = clock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      guard code == EWOULDBLOCK else {
        fault = String(cString: strerror(code))
        return
      }
      guard clock.now < end else {
        throw FileFault(
          "write",
          model,
          "another run of the generator has had the folder '\(path)' for "
            + "\(patience.components.seconds) seconds; wait for its end, or end it, and run again"
        )
      }
      usleep(Self.interval)
    }
  }

  private static func nearestFolder(to path: String) -> String {
    var url = URL(fileURLWithPath: path)
    while !FileManager.default.fileExists(atPath: url.path), url.path != "/" {
      url.deleteLastPathComponent()
    }
    return url.path
  }
}

extension DiagnosticMessage {
  static func unlockable(_ reason: String) -> Self {
    warning(
      "the folder of the model file cannot be locked (\(reason)), so two runs at once may lose "
        + "UIDs; run the generator once at a time"
    )
  }
}
