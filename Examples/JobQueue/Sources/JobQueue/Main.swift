import Foundation
import ObjectBox

/// The terminal program.
@main
enum Main {
  static let usage = """
    usage: JobQueue STORE COMMAND
      add COUNT     adds the jobs job-1 to job-COUNT, in ten priorities
      work [--lease MILLISECONDS] [--duration MILLISECONDS] [--hold-until FILE] [--log FILE]
                    does jobs until none is left
      plan          tells how the next job is found
      check COUNT   ends with status 1 unless each of COUNT jobs is done and has one effect
    """

  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ words: [String]) async throws {
    guard words.count >= 2 else { throw Failure(usage) }
    let rest = words.dropFirst(2)
    switch words[1] {
    case "add":
      let count = try number(rest.first)
      let queue = try JobQueue(folder: words[0])
      var added = 0
      for number in 1...count where try await queue.add("job-\(number)", priority: number % 10) {
        added += 1
      }
      print("added \(added), refused \(count - added)")
    case "work":
      let options = try workerOptions(rest)
      try await Worker(JobQueue(folder: words[0]), options).run()
    case "plan": print(try JobQueue(folder: words[0]).waitingJobs().explain(limit: 1))
    case "check": try check(JobQueue(folder: words[0]), count: number(rest.first))
    default: throw Failure(usage)
    }
  }

  private static func workerOptions(_ words: ArraySlice<String>) throws -> WorkerOptions {
    var options = WorkerOptions()
    var rest = words
    while let option = rest.popFirst() {
      let value = rest.popFirst()
      switch option {
      case "--lease": options.lease = Double(try number(value)) / 1000
      case "--duration": options.duration = Double(try number(value)) / 1000
      case "--hold-until": options.heldUntil = value
      case "--log": options.log = value
      default: throw Failure(usage)
      }
    }
    return options
  }

  /// Throws when a job is missing, not done, or does not have exactly one effect.
  private static func check(_ queue: JobQueue, count: Int) throws {
    let jobs = try queue.store.box(for: Job.self).all()
    let effects = try queue.store.box(for: Effect.self).all()
    let open = try queue.openCount()
    guard jobs.count == count else { throw Failure("there are \(jobs.count) jobs") }
    guard open == 0 else { throw Failure("\(open) jobs are not done") }
    guard Set(effects.map(\.jobKey)) == Set(jobs.map(\.key)), effects.count == count else {
      throw Failure("\(effects.count) effects are not those of the jobs")
    }
    for effect in effects where effect.result != Worker.result(of: effect.jobKey) {
      throw Failure("the effect of '\(effect.jobKey)' is wrong")
    }
    let repeated = jobs.filter { $0.attempts > 1 }.count
    print("\(count) jobs done, each with one effect; \(repeated) were leased again")
  }

  private static func number(_ word: String?) throws -> Int {
    guard let word, let number = Int(word), number > 0 else {
      throw Failure("'\(word ?? "")' is no count")
    }
    return number
  }
}

/// An error for the user.
struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
