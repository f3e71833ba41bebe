package import ObjectBoxGenerator

// SwiftDiagnostics has types with the same names.
package typealias Diagnostic = ObjectBoxGenerator.Diagnostic
package typealias DiagnosticMessage = ObjectBoxGenerator.DiagnosticMessage
