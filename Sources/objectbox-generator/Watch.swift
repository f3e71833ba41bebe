internal import Foundation
internal import ObjectBoxGenerator

/// Runs the generator again whenever one of its inputs changes, until the process is ended.
enum Watch {
  /// How often the inputs are looked at, in seconds.
  private static let interval = 0.3

  static func run(_ options: Generator.Options, _ output: FindingsOutput, _ body: () -> Void)
    -> Never
  {
    output.tell(["watching \(options.sources.joined(separator: ", ")); press Control-C to end"])
    while true {
      body()
      // The run itself changes the model: what is there afterwards is the state to compare with.
      let state = InputState(of: options)
      // A reader behind a pipe is to see what was told so far.
      fflush(nil)
      while InputState(of: options) == state { Thread.sleep(forTimeInterval: interval) }
    }
  }
}
