internal import Foundation

/// The memory that the process may still take: the least of the machine's, with its swap space, and its cgroups'.
struct MemoryRoom {
  /// The root of the file system; tests use a folder with limits of their own.
  @TaskLocal static var root = ""

  /// Bytes that are left.
  let available: Int
  /// The limit that leaves them, in words.
  let limit: String

  /// Reads the limits; nil when the system does not report them.
  init?() {
    let root = Self.root
    let limits = Self.availableOfMachine(root) + Self.availableOfCgroups(root)
    guard let least = limits.min(by: { $0.0 < $1.0 }) else { return nil }
    (available, limit) = least
  }

  private static func text(_ path: String) -> String? {
    // Files of /proc have the size 0, which other functions of Foundation trust.
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    return String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
  }

  private static func number(_ path: String) -> Int? {
    text(path).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  /// Returns the number after a word at the begin of a line.
  private static func value(_ word: String, in text: String) -> Int? {
    text.split(separator: "\n").first { $0.hasPrefix(word) }
      .flatMap { $0.dropFirst(word.count).split(separator: " ").first }.flatMap { Int($0) }
  }

  /// The machine's free memory and swap space; empty when the system does not report them.
  private static func availableOfMachine(_ root: String) -> [(Int, String)] {
    guard let text = text(root + "/proc/meminfo"), let memory = value("MemAvailable:", in: text)
    else { return [] }
    let swap = value("SwapFree:", in: text) ?? 0
    return [
      (
        (memory + swap) * 1024,
        "the machine's free memory (\(memory) KiB, and \(swap) KiB of swap space)"
      )
    ]
  }

  /// The room in the process's cgroup and in all above it, of both versions of cgroups.
  private static func availableOfCgroups(_ root: String) -> [(Int, String)] {
    let lines = text(root + "/proc/self/cgroup")?.split(separator: "\n") ?? []
    return lines.flatMap { line -> [(Int, String)] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      if parts[0] == "0", parts[1].isEmpty {
        return folders(root + "/sys/fs/cgroup", parts[2]).compactMap {
          available($0, "memory.max", "memory.current", "inactive_file ")
        }
      }
      guard parts[1].split(separator: ",").contains("memory") else { return [] }
      return folders(root + "/sys/fs/cgroup/memory", parts[2]).compactMap {
        available($0, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ")
      }
    }
  }

  /// The folders of a cgroup and of all above it.
  ///
  /// A container may see its own as the root.
  private static func folders(_ base: String, _ group: Substring) -> [String] {
    var path = ""
    return [base]
      + group.split(separator: "/").map { part in
        path += "/" + part
        return base + path
      }
  }

  private static func available(
    _ folder: String,
    _ limitName: String,
    _ usageName: String,
    _ reclaimable: String
  ) -> (Int, String)? {
    // The text "max" means that there is no limit.
    guard let limit = number(folder + "/" + limitName), let usage = number(folder + "/" + usageName)
    else { return nil }
    // The system gives up cached files before it ends a process.
    let cached = text(folder + "/memory.stat").flatMap { value(reclaimable, in: $0) } ?? 0
    return (max(0, limit - usage + cached), "the limit '\(folder)/\(limitName)'")
  }
}
