import Foundation

/// The entry of libFuzzer's library, which `-sanitize=fuzzer` links.
///
/// Numbers and pointers are passed alike by Swift and C on the platforms that have it.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

// The package manager gives each program a `main` of its own; that of libFuzzer would do the same.
var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(runFuzzer(&count, &arguments, runOneInput))
