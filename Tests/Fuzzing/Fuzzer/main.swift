import Foundation
import ObjectBoxFuzzTargets

// Runs libFuzzer; the variable OBJECTBOX_FUZZ_TARGET names the target.

/// The entry of libFuzzer's library, which `-sanitize=fuzzer` links.
///
/// Numbers and pointers are passed alike by Swift and C on the platforms that have it.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

let name = ProcessInfo.processInfo.environment["OBJECTBOX_FUZZ_TARGET"] ?? ""
guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
  fatalError("OBJECTBOX_FUZZ_TARGET: \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
}
/// A C function holds no variables; set before the fuzzer, which has one thread, and never changed.
nonisolated(unsafe) private var current = target

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
  runFuzzer(&count, &arguments) { bytes, count in
    do {
      try current.run([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
      fatalError("an error that tells nothing of the input: \(error)")
    }
    return 0
  }
)
