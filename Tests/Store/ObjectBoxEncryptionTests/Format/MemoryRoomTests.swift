import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxEncryption

struct MemoryRoomTests {
  private let root: TemporaryDirectory

  init() throws {
    root = try TemporaryDirectory()
    try root.write("MemTotal: 9 kB\nMemAvailable:    1000000 kB\n", to: "proc/meminfo")
  }

  private func found() -> MemoryRoom? {
    MemoryRoom.$root.withValue(root.path) { MemoryRoom() }
  }

  @Test func `the machine's free memory limits a process without a cgroup`() throws {
    let room = try #require(found())
    #expect(room.available == 1_000_000 * 1024)
  }

  @Test func `free swap space counts as memory of the machine, and not of a cgroup`() throws {
    try root.write(
      "MemAvailable:    1000000 kB\nSwapTotal: 9000 kB\nSwapFree:  500 kB\n",
      to: "proc/meminfo"
    )
    let room = try #require(found())
    #expect(room.available == 1_000_500 * 1024)
    #expect(room.limit.contains("1000000 KiB") && room.limit.contains("500 KiB of swap"))
    try root.write("0::/\n", to: "proc/self/cgroup")
    try root.write("100000\n", to: "sys/fs/cgroup/memory.max")
    try root.write("40000\n", to: "sys/fs/cgroup/memory.current")
    #expect(found()?.available == 60_000)
  }

  @Test func `the tightest cgroup limits a process, without cached files`() throws {
    try root.write("0::/outer/inner\n", to: "proc/self/cgroup")
    for (folder, limit, usage) in [
      ("outer", "100000", "40000"), ("outer/inner", "max", "30000"),
    ] {
      try root.write(limit + "\n", to: "sys/fs/cgroup/\(folder)/memory.max")
      try root.write(usage + "\n", to: "sys/fs/cgroup/\(folder)/memory.current")
      try root.write("anon 5\ninactive_file 1000\n", to: "sys/fs/cgroup/\(folder)/memory.stat")
    }
    let room = try #require(found())
    #expect(room.available == 61_000)
    #expect(room.limit.contains("outer/memory.max"))
  }

  @Test func `cgroups of the first version limit a process`() throws {
    try root.write("9:cpu:/\n4:memory:/box\n", to: "proc/self/cgroup")
    try root.write("5000\n", to: "sys/fs/cgroup/memory/box/memory.limit_in_bytes")
    try root.write("6000\n", to: "sys/fs/cgroup/memory/box/memory.usage_in_bytes")
    #expect(found()?.available == 0)
  }

  @Test func `a system that tells nothing has no limit`() throws {
    let room = MemoryRoom.$root.withValue(root.path + "/nowhere") { MemoryRoom() }
    #expect(room == nil)
  }
}
