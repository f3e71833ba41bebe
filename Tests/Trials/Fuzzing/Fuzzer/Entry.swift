import Foundation
import ObjectBoxFuzzTargets

/// The target that the variable OBJECTBOX_FUZZ_TARGET names.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["OBJECTBOX_FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    fatalError("OBJECTBOX_FUZZ_TARGET: \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
  }
  return target
}()

/// Runs the target on an input, as libFuzzer calls it.
@_cdecl("LLVMFuzzerTestOneInput")
func runOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try target.run([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
  } catch {
    fatalError("\(target.name): an error that tells nothing of the input: \(error)")
  }
  return 0
}
