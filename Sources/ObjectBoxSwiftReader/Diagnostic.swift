package import ObjectBoxGenerator

// SwiftDiagnostics has types of the same names.
package typealias Diagnostic = ObjectBoxGenerator.Diagnostic
package typealias DiagnosticMessage = ObjectBoxGenerator.DiagnosticMessage
