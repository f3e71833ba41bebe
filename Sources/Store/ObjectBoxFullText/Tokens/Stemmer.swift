internal import Foundation

/// A stemming algorithm of Snowball with its memory.
///
/// Invariant of `@unchecked Sendable`: ``StemmerPool`` gives a stemmer to one caller at a time.
final class Stemmer: @unchecked Sendable {
  private let library: StemmerLibrary
  private let stemmer: OpaquePointer

  /// Makes a stemmer; nil when the library does not know the language.
  init?(_ language: String, _ library: StemmerLibrary) {
    guard let stemmer = library.new(language, "UTF_8") else { return nil }
    self.library = library
    self.stemmer = stemmer
  }

  deinit { library.delete(stemmer) }

  /// Returns the stem of a folded word, valid until the next call.
  func stem(_ word: UnsafePointer<UInt8>, _ count: Int) -> (UnsafePointer<UInt8>, Int) {
    guard let stem = library.stem(stemmer, word, Int32(count)) else {
      preconditionFailure("no memory for the stem of a word")
    }
    var size = Int(library.length(stemmer))
    if size > Tokenizer.maximumSize {
      size = Tokenizer.maximumSize
      while size > 0, stem[size] & 0xc0 == 0x80 { size -= 1 }
    }
    return (stem, size)
  }
}

/// The stemmers of a language that are not in use.
///
/// Invariant of `@unchecked Sendable`: `free` is accessed only under the lock.
final class StemmerPool: @unchecked Sendable {
  private let language: String
  private let library: StemmerLibrary
  private let lock = NSLock()
  private var free: [Stemmer] = []
  /// A hash of the stems of generated words; it differs between versions of the library.
  let fingerprint: UInt64

  init(_ language: String) throws(TokenizerError) {
    guard TokenizerSettings.languages.contains(language) else {
      throw TokenizerError.unknownLanguage(language)
    }
    guard let library = StemmerLibrary.installed else {
      throw TokenizerError.missingLibrary(language: language)
    }
    guard let stemmer = Stemmer(language, library) else {
      throw TokenizerError.missingStemmer(language: language)
    }
    self.language = language
    self.library = library
    fingerprint = StemmerProbe.fingerprint(of: stemmer, language: language)
    free.append(stemmer)
  }

  /// Returns a stemmer for one caller.
  func take() -> Stemmer {
    if let stemmer = lock.withLock({ free.popLast() }) { return stemmer }
    guard let stemmer = Stemmer(language, library) else {
      preconditionFailure("no memory for a stemmer")
    }
    return stemmer
  }

  func giveBack(_ stemmer: Stemmer) {
    lock.withLock { free.append(stemmer) }
  }
}
