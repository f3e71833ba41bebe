/// The output and the findings of one stage.
struct StageResult<Output> {
  var output: Output
  var findings: [Diagnostic] = []
}
