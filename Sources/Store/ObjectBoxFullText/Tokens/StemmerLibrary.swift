internal import Foundation

/// The functions of Snowball's library.
///
/// Looked up at run time: a program needs the library only when it opens an index with a language,
/// and starts without it wherever it was built.
struct StemmerLibrary: Sendable {
  typealias New =
    @Sendable @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>?
    ) -> OpaquePointer?
  typealias Delete = @Sendable @convention(c) (OpaquePointer) -> Void
  typealias Stem =
    @Sendable @convention(c) (
      OpaquePointer, UnsafePointer<UInt8>, Int32
    ) -> UnsafePointer<UInt8>?
  typealias Length = @Sendable @convention(c) (OpaquePointer) -> Int32

  let new: New
  let delete: Delete
  let stem: Stem
  let length: Length

  /// The library of this machine; nil if none is installed.
  ///
  /// Loaded at the first use and never closed. `OBJECTBOX_WITHOUT_LIBSTEMMER=1` hides it in tests.
  static let installed: Self? =
    ProcessInfo.processInfo.environment["OBJECTBOX_WITHOUT_LIBSTEMMER"] == "1" ? nil : Self()

  #if canImport(Darwin)
    // Homebrew's folders are outside the loader's search path.
    private static let names = [
      "libstemmer.dylib", "/opt/homebrew/lib/libstemmer.dylib", "/usr/local/lib/libstemmer.dylib",
    ]
  #else
    // Debian has its own version; the last name comes with the headers.
    private static let names = ["libstemmer.so.0d", "libstemmer.so.0", "libstemmer.so"]
  #endif

  private init?() {
    func find<Function>(
      _ name: String,
      in library: UnsafeMutableRawPointer,
      as type: Function.Type
    ) -> Function? {
      // The types above repeat the prototypes of libstemmer.h, which never changed.
      dlsym(library, name).map { unsafeBitCast($0, to: type) }
    }
    for name in Self.names {
      guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
      if let new = find("sb_stemmer_new", in: library, as: New.self),
        let delete = find("sb_stemmer_delete", in: library, as: Delete.self),
        let stem = find("sb_stemmer_stem", in: library, as: Stem.self),
        let length = find("sb_stemmer_length", in: library, as: Length.self)
      {
        (self.new, self.delete, self.stem, self.length) = (new, delete, stem, length)
        return
      }
      dlclose(library)
    }
    return nil
  }
}
