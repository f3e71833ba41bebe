import Foundation
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxGenerator

/// The files that a run reads when there are links.
struct SourceWalkTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func link(_ name: String, to target: String) throws {
    let path = folder.path + "/" + name
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: path).deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  private func list(_ paths: String..., excluding excluded: [String] = []) throws -> [String] {
    let root = folder.path + "/"
    return try SourceFinder.find(paths.map { root + $0 }, excluding: excluded.map { root + $0 })
      .map { String($0.path.dropFirst(root.count)) }
  }

  @Test func `links to folders around them end`() throws {
    try folder.write("", to: "src/A.swift")
    try folder.write("", to: "src/in/B.swift")
    for (name, target) in [
      ("src/one", "."), ("src/two", "."), ("src/in/up", ".."), ("src/in/self", "../in"),
      ("src/circle", "circle"), ("src/left", "right"), ("src/right", "left"),
      ("src/gone", "nowhere"),
    ] { try link(name, to: target) }
    #expect(try list("src") == ["src/A.swift", "src/in/B.swift"])
  }

  @Test func `a file has its own name before that of a link, whatever their order`() throws {
    try folder.write("", to: "src/m/Real.swift")
    try link("src/a", to: "m")
    try link("src/Alias.swift", to: "m/Real.swift")
    try link("src/z.swift", to: "m/Real.swift")
    #expect(try list("src") == ["src/m/Real.swift"])
  }

  @Test func `what lies elsewhere is read once, under the first name`() throws {
    try folder.write("", to: "shared/deep/C.swift")
    try folder.write("", to: "other/D.swift")
    try link("src/b", to: "../shared")
    try link("src/a", to: "../shared")
    try link("src/d.swift", to: "../other/D.swift")
    try link("src/c.swift", to: "../other/D.swift")
    // A link that is only found through another link.
    try link("shared/more", to: "../other")
    #expect(try list("src") == ["src/a/deep/C.swift", "src/c.swift"])
  }

  @Test func `a path that is given twice counts once`() throws {
    try folder.write("", to: "src/A.swift")
    try link("link", to: "src")
    #expect(try list("src", "src/A.swift", "./src", "link") == ["src/A.swift"])
    #expect(try list("link") == ["link/A.swift"])
    #expect(try list("link/A.swift") == ["link/A.swift"])
  }

  @Test func `an excluded folder does not hide what a link shows elsewhere`() throws {
    try folder.write("", to: "src/skip/A.swift")
    try folder.write("", to: "src/B.swift")
    #expect(try list("src", excluding: ["src/skip"]) == ["src/B.swift"])
    try link("src/kept", to: "skip")
    #expect(try list("src", excluding: ["src/skip"]) == ["src/B.swift", "src/kept/A.swift"])
    #expect(try list("src", excluding: ["src/kept"]) == ["src/B.swift", "src/skip/A.swift"])
  }
}
