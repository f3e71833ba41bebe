internal import Foundation
internal import ObjectBoxGenerator

/// Runs the generator again whenever one of its inputs changes, until the process is ended.
enum Watch {
  /// The time between two looks at the inputs, in seconds.
  private static let interval = 0.3

  static func run(_ options: Generator.Options, _ output: FindingsOutput, _ body: () -> Void)
    -> Never
  {
    output.tell(["watching \(options.sources.joined(separator: ", ")); press Control-C to end"])
    while true {
      body()
      // The run itself may change the model, so the state after it counts.
      let state = InputState(of: options)
      // A reader behind a pipe sees the messages at once.
      fflush(nil)
      while InputState(of: options) == state { Thread.sleep(forTimeInterval: interval) }
    }
  }
}
