import Foundation
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxGenerator

/// Reading the types of headers with libclang.
@Suite(.enabled(if: CTypeReader.isAvailable, "libclang is not installed"))
struct CTypeReaderTests {
  @Test(arguments: [
    ("typedef _Bool it;", "Bool"), ("#include <stdbool.h>\ntypedef bool it;", "Bool"),
    ("typedef char it;", "\(CChar.self)"), ("typedef signed char it;", "Int8"),
    ("typedef unsigned char it;", "UInt8"), ("typedef short it;", "Int16"),
    ("typedef unsigned short it;", "UInt16"), ("typedef int it;", "Int32"),
    ("typedef unsigned it;", "UInt32"), ("typedef long it;", "\(CLong.self)"),
    ("typedef unsigned long it;", "\(CUnsignedLong.self)"), ("typedef long long it;", "Int64"),
    ("typedef unsigned long long it;", "UInt64"), ("typedef float it;", "Float"),
    ("typedef double it;", "Double"), ("typedef const int it;", "Int32"),
    ("typedef int a; typedef a b; typedef volatile b it;", "Int32"),
    ("typedef __typeof__(1u) it;", "UInt32"),
  ])
  func `a typedef stands for the number that its chain ends in`(
    _ header: String,
    _ name: String
  ) throws {
    #expect(try HeaderFolder(header).kind(of: "it") == .scalar(name))
  }

  @Test(arguments: [
    ("int8_t", "Int8"), ("uint8_t", "UInt8"), ("int16_t", "Int16"), ("uint16_t", "UInt16"),
    ("int32_t", "Int32"), ("uint32_t", "UInt32"), ("int64_t", "Int64"), ("uint64_t", "UInt64"),
    ("intptr_t", "Int"), ("uintptr_t", "UInt"), ("size_t", "Int"), ("ptrdiff_t", "Int"),
    ("time_t", "Int"), ("pid_t", "Int32"), ("mode_t", "UInt32"), ("off_t", "Int"),
  ])
  func `types of the system's headers are those that Swift imports`(
    _ name: String,
    _ swift: String
  ) throws {
    let headers = try HeaderFolder(
      """
      #include <stddef.h>
      #include <stdint.h>
      #include <sys/types.h>
      #include <time.h>
      typedef \(name) it;
      """
    )
    #expect(try headers.kind(of: name) == .scalar(swift))
    #expect(try headers.kind(of: "it") == .scalar(swift))
  }

  @Test(arguments: [
    ("enum it { A, B };", "UInt32"), ("enum it { A = -1, B };", "Int32"),
    ("enum it { A = 0x1ffffffffLL };", "UInt"), ("enum it { A = -0x1ffffffffLL };", "Int"),
    ("typedef enum { A } it;", "UInt32"), ("typedef enum tag { A } it;", "UInt32"),
    ("typedef enum it { A } it;", "UInt32"), ("enum tag { A }; typedef enum tag it;", "UInt32"),
    ("typedef enum it it; enum it { A };", "UInt32"),
    ("enum it : unsigned char { A };", "UInt8"),
    ("#include <stdint.h>\nenum it : int64_t { A };", "Int64"),
    ("enum __attribute__((flag_enum)) it { A = 1 };", "UInt32"),
    ("typedef enum { A } a; typedef a it;", "UInt32"),
    ("typedef int it __attribute__((swift_newtype(struct)));", "Int32"),
    ("typedef enum { A } c_name __attribute__((swift_name(\"it\")));", "UInt32"),
  ])
  func `an enum has the raw type that its constants need, and takes any raw value`(
    _ header: String,
    _ rawType: String
  ) throws {
    let expected = CEnumeration(rawType: rawType, values: .all)
    #expect(try HeaderFolder(header).kind(of: "it") == .enumeration(expected))
  }

  @Test func `an attribute makes an enum of Swift, also through a macro`() throws {
    let headers = try HeaderFolder(
      """
      #define AN_ENUM(kind, type, name) \\
        enum __attribute__((enum_extensibility(kind))) name : type name; \\
        enum __attribute__((enum_extensibility(kind))) name : type
      typedef AN_ENUM(open, short, grows) { A };
      typedef AN_ENUM(closed, signed char, fixed) { B = 3, C = -2, D = 3 };
      enum __attribute__((enum_extensibility(closed), flag_enum)) bits { E = 1 };
      """
    )
    #expect(
      try headers.kind(of: "grows")
        == .enumeration(CEnumeration(rawType: "Int16", values: .open))
    )
    #expect(
      try headers.kind(of: "fixed")
        == .enumeration(CEnumeration(rawType: "Int8", values: .closed(["-2", "3"])))
    )
    #expect(
      try headers.kind(of: "bits") == .enumeration(CEnumeration(rawType: "UInt32", values: .all))
    )
  }

  @Test(arguments: [
    ("struct it { int x; };", "a C struct"), ("typedef struct { int x; } it;", "a C struct"),
    ("union it { int x; };", "a C union"), ("struct it;", "a C struct"),
    ("typedef const char *it;", "the C type 'const char *'"),
    ("typedef int it[4];", "the C type 'int[4]'"),
    ("typedef int (*it)(void);", "the C type 'int (*)(void)'"),
    ("typedef long double it;", "the C type 'long double'"),
    ("typedef __int128 it;", "the C type '__int128'"),
    ("typedef float it __attribute__((vector_size(16)));", nil),
    ("enum it;", "a C enum without a definition"),
  ])
  func `other types are told in words`(_ header: String, _ words: String?) throws {
    guard case .unsupported(let found) = try HeaderFolder(header).kind(of: "it") else {
      Issue.record("it can be stored")
      return
    }
    if let words { #expect(found.replacingOccurrences(of: " [", with: "[") == words) }
  }

  @Test func `an enum of a library's header`() throws {
    let headers = try HeaderFolder("#include <lmdb.h>")
    guard case .enumeration(let enumeration) = try headers.kind(of: "MDB_cursor_op") else {
      Issue.record("MDB_cursor_op is no enumeration")
      return
    }
    #expect(enumeration == CEnumeration(rawType: "UInt32", values: .all))
    #expect(try headers.kind(of: "MDB_dbi") == .scalar("UInt32"))
    #expect(try headers.kind(of: "MDB_val") == .unsupported("a C struct"))
    #expect(try headers.kind(of: "MDB_missing") == nil)
  }

  @Test func `the first of two equal declarations counts`() throws {
    let headers = try HeaderFolder(
      (name: "a.h", text: "typedef int it;\ntypedef enum { A } kind;\n"),
      (name: "b.h", text: "typedef int it;\ntypedef enum { B } kind;\n")
    )
    let types = try CTypeReader.read(["it", "kind"], in: headers.headers)
    #expect(types["it"]?.position.path.hasSuffix("a.h") == true)
    #expect(types["it"]?.conflict == nil)
    #expect(types["kind"]?.conflict == nil)
  }

  @Test(arguments: [
    ("typedef int it;", "typedef long it;"),
    ("enum it { A };", "enum it { B = -1 };"),
    ("struct it { int x; };", "typedef int it;"),
  ])
  func `of two different declarations the later one is a conflict`(
    _ first: String,
    _ second: String
  ) throws {
    let headers = try HeaderFolder((name: "a.h", text: first), (name: "b.h", text: "\n" + second))
    let type = try #require(try CTypeReader.read(["it"], in: headers.headers)["it"])
    #expect(type.position.path.hasSuffix("a.h"))
    #expect(type.conflict?.path.hasSuffix("b.h") == true)
    #expect(type.conflict?.line == 2)
  }

  @Test func `a fault of a header is a warning at its place, and the rest is read`() throws {
    let headers = try HeaderFolder("\n#include \"missing.h\"\ntypedef int it;\n")
    let types = try CTypeReader.read(["it"], in: headers.headers)
    #expect(types["it"]?.kind == .scalar("Int32"))
    let finding = try #require(types.diagnostics.first)
    #expect(types.diagnostics.count == 1)
    #expect(finding.description.hasPrefix("\(headers.headers.files[0]):2:10: warning: "))
    #expect(finding.message.text.contains("'missing.h' file not found"))
    #expect(finding.message.text.contains("--c-include-dir"))
  }

  @Test func `a folder for includes makes a header whole`() throws {
    let folder = try HeaderFolder("#include <deep.h>\ntypedef deep_int it;\n")
    try folder.folder.write("typedef short deep_int;", to: "more/deep.h")
    var headers = folder.headers
    headers.includeFolders = [folder.folder.path + "/more"]
    let types = try CTypeReader.read(["it"], in: headers)
    #expect(types.diagnostics == [])
    #expect(types["it"]?.kind == .scalar("Int16"))
  }

  @Test func `without a demand no header is read`() throws {
    let headers = try HeaderFolder("#error this is read")
    #expect(try CTypeReader.read([], in: headers.headers).diagnostics == [])
    #expect(try CTypeReader.read(["it"], in: headers.headers).diagnostics.count == 1)
  }

  @Test func `a second reading tells the same`() throws {
    let headers = try HeaderFolder("#include <lmdb.h>\n#include \"missing.h\"\nint (;\n")
    let names: Set<String> = ["MDB_cursor_op", "MDB_dbi", "time_t", "size_t"]
    let first = try CTypeReader.read(names, in: headers.headers)
    let second = try CTypeReader.read(names, in: headers.headers)
    #expect(first.diagnostics.map(\.description) == second.diagnostics.map(\.description))
    #expect(first.diagnostics.count > 1)
    for name in names { #expect(first[name] == second[name]) }
  }
}
