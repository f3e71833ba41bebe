internal import Foundation
internal import ObjectBoxGenerator
internal import ObjectBoxModelTools

/// Runs the generator again whenever an input changes, until the process is ended.
enum Watch {
  /// Time between two checks of the inputs, in seconds.
  private static let interval = 0.3

  static func run(_ options: Generator.Options, _ output: FindingsOutput, _ body: () -> Void)
    -> Never
  {
    output.tell(["watching \(options.sources.joined(separator: ", ")); press Control-C to end"])
    while true {
      body()
      // Compared with the state after the run, since the run itself may change the model.
      let state = InputState(of: options)
      // A reader of a pipe sees the messages at once.
      fflush(nil)
      while InputState(of: options) == state { Thread.sleep(forTimeInterval: interval) }
    }
  }
}
