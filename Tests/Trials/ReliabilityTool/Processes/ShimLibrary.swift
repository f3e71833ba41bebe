import Foundation

/// The shim of the system's file calls, if this process was started with it.
enum ShimLibrary {
  /// The variable with the shim's path; `Scripts/reliability.sh` builds the shim and sets it.
  static let pathVariable = "RELIABILITY_SHIM"

  /// The shim's path; nil where it was not built.
  static var path: String? { ProcessInfo.processInfo.environment[pathVariable] }

  /// Returns the variables for a process whose calls on files in a folder are recorded or fail.
  static func environment(root: String, log: String? = nil) throws -> [String: String] {
    guard let path else {
      throw TrialError(
        "\(pathVariable) names no library; run Scripts/reliability.sh, which builds it"
      )
    }
    var variables = ["LD_PRELOAD": path, "RELIABILITY_ROOT": root]
    variables["RELIABILITY_LOG"] = log
    return variables
  }

  private static func symbol<F>(_ name: String, as type: F.Type) -> F {
    guard let address = dlsym(UnsafeMutableRawPointer(bitPattern: 0), name) else {
      Command.fail("this process was started without the library of the file calls")
    }
    // The types match the definitions in shim.c.
    return unsafeBitCast(address, to: F.self)
  }

  /// Adds a line to the log.
  static let mark: @Sendable (String) -> Void = {
    let function = symbol(
      "reliability_mark",
      as: (@convention(c) (UnsafePointer<CChar>) -> Void).self
    )
    return { function($0) }
  }()

  /// Begins a log; no file of the root may be open.
  static func record(to log: String) {
    typealias Function = @convention(c) (UnsafePointer<CChar>) -> Void
    symbol("reliability_record", as: Function.self)(log)
  }

  /// Lets `count` calls of a kind fail, from number `first` on.
  static func fail(_ call: String, first: Int, count: Int, code: Int32) {
    typealias Function = @convention(c) (UnsafePointer<CChar>, Int, Int, Int32) -> Void
    symbol("reliability_fault", as: Function.self)(call, first, count, code)
  }

  /// Ends all faults.
  static func stopFailing() { fail("", first: 0, count: 0, code: 0) }

  /// The number of calls of the kind since `fail`.
  static var calls: Int { symbol("reliability_calls", as: (@convention(c) () -> Int).self)() }
}
