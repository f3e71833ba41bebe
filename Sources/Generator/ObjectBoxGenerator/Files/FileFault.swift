internal import Foundation

/// The failure to read or write a file or folder.
package struct FileFault: Error, CustomStringConvertible {
  /// The verb of the failed action, such as "read".
  package var action: String
  package var path: String
  package var cause: String

  package var description: String { "cannot \(action) '\(path)': \(cause)" }

  package init(_ action: String, _ path: String, _ cause: String) {
    self.action = action
    self.path = path
    self.cause = cause
  }

  init(_ action: String, _ path: String, _ error: any Error) {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    self.init(
      action,
      path,
      underlying?.localizedDescription ?? (error as NSError).localizedDescription
    )
  }
}
