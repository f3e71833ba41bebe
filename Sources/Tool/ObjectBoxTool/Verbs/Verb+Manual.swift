internal import ObjectBox
internal import ObjectBoxCommandLine

extension Verb {
  static let manual = Verb(
    name: "man",
    summary: "prints the manual page of this tool, for man",
    details: """
      packages put it into share/man/man1/objectbox.1; it says what the help of all verbs says

      ends with 0
      """,
    examples: ["man | man -l -", "man >/usr/local/share/man/man1/objectbox.1"],
    run: { _ in
      try Console.write(ManualPage.text)
      return .success
    }
  )
}

/// The manual page, generated from the list of verbs.
///
/// See groff_man(7) for the macros.
private enum ManualPage {
  static var text: String {
    """
    .TH OBJECTBOX 1 "" "objectbox \(Store.versionLib)" "User Commands"
    .SH NAME
    objectbox \\- works on store files of ObjectBox for Swift
    .SH SYNOPSIS
    .B objectbox
    .I VERB STORE
    [\\fIOPTION\\fR ...]
    .SH DESCRIPTION
    Reads, checks, copies and changes stores without the program that they belong to: a store file holds its schema.
    .PP
    \(escaped(Tool.rules.store))
    .SH VERBS
    \(Verb.all.map(section).joined(separator: "\n"))
    .SH "EXIT STATUS"
    \(escaped(Tool.rules.exit))
    .SH ENVIRONMENT
    .TP
    .B NO_COLOR
    When it is not empty, nothing is coloured. Colours and bars are for terminals only.
    .TP
    .BR PGPASSWORD ", " PGSERVICE " and others of libpq"
    Used by the verbs that take the address of a PostgreSQL database.

    """
  }

  private static func section(_ verb: Verb) -> String {
    let operands = verb.operands.joined(separator: " ")
    var lines = [
      ".SS \"\(quoted(verb.name)) \\fI\(quoted(operands))\\fR\"",
      escaped(verb.summary.prefix(1).uppercased() + verb.summary.dropFirst()) + ".",
    ]
    for option in verb.options {
      lines += [".TP", ".B \(escaped(option.title))", escaped(option.help)]
      if !option.choices.allSatisfy({ option.help.contains($0) }) {
        lines[lines.count - 1] += "; one of: " + option.choices.joined(separator: ", ")
      }
    }
    lines.append(".PP")
    for line in verb.details.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        lines.append(".PP")
      } else if line.hasPrefix("  ") {
        // Preserve the blanks of a table.
        lines += [".nf", ".in +2", escaped(line.drop { $0 == " " }), ".in -2", ".fi"]
      } else {
        lines.append(escaped(line))
      }
    }
    lines += [".PP", ".nf", ".in +2"] + verb.examples.map { escaped("objectbox \($0)") }
    return (lines + [".in -2", ".fi"]).joined(separator: "\n")
  }

  /// Escapes a text for the formatter, also at its beginning.
  private static func escaped(_ text: some StringProtocol) -> String {
    let text = String(text).replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("^", with: "\\(ha").replacing("~", with: "\\(ti").replacing("'", with: "\\(aq")
    return text.hasPrefix(".") ? "\\&" + text : text
  }

  /// Escapes a text for an argument in quotes.
  private static func quoted(_ text: some StringProtocol) -> String {
    escaped(text).replacing("\"", with: "\\(dq")
  }
}
