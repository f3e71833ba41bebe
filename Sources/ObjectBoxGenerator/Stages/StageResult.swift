/// The output of a stage of the generator, with its findings.
struct StageResult<Output> {
  var output: Output
  var findings: [Diagnostic] = []
}
