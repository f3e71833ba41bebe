import Foundation

/// The entry point of libFuzzer's library, which `-sanitize=fuzzer` links.
///
/// Swift and C pass integers and pointers alike on the platforms that have it.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

// Does what libFuzzer's own `main` does: the package manager gives each program its own.
var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(runFuzzer(&count, &arguments, runOneInput))
