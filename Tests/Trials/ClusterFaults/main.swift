import Foundation

// Tests the promises of clusters while servers fail or clients conflict: `ClusterFaults
// bank|disk|fair ADDRESS [OPTION…]`. See Documentation/Cluster.md. Exit codes: 0 when all promises
// were kept, 1 when a promise was broken, 2 when a trial could not run.

let usage = """
  usage: ClusterFaults bank ADDRESS [--name NAME] [--seconds N] [--every N] [--fault COMMAND]… [--clients N]
           [--connections N] [--bound SECONDS|none] [--seed N]
         ClusterFaults disk ADDRESS
         ClusterFaults fair ADDRESS [--seconds N] [--clients N] [--accounts N] [--processes N]
           [--seed N] [--schema NAME --first N]  (for the other processes, which the trial starts)
  """

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data((text + "\n").utf8))
  exit(2)
}

var arguments = CommandLine.arguments.dropFirst()
guard let trial = arguments.popFirst(), let address = arguments.popFirst() else { fail(usage) }
var bank = BankTrial()
var fairness = FairnessTrial()
var name = "bank"
while let option = arguments.popFirst() {
  guard let value = arguments.popFirst() else { fail("\(option) needs a value\n\(usage)") }
  switch option {
  case "--name": name = value
  case "--seconds":
    bank.seconds = Double(value) ?? bank.seconds
    fairness.seconds = bank.seconds
  case "--every": bank.interval = Double(value) ?? bank.interval
  case "--fault": bank.faults.append(value)
  case "--clients":
    bank.clientCount = Int(value) ?? bank.clientCount
    fairness.clientCount = Int(value) ?? fairness.clientCount
  case "--connections": bank.connectionCount = Int(value)
  case "--bound": bank.bound = Double(value)
  case "--accounts": fairness.accountCount = Int(value) ?? fairness.accountCount
  case "--processes": fairness.processCount = Int(value) ?? fairness.processCount
  case "--schema": fairness.schema = value
  case "--first": fairness.firstClient = Int(value) ?? fairness.firstClient
  case "--seed":
    bank.seed = UInt64(value) ?? bank.seed
    fairness.seed = bank.seed
  default: fail("no option '\(option)'\n\(usage)")
  }
}
do {
  let isClean =
    switch trial {
    case "bank": try await bank.run(name: name, address: address)
    case "disk": try await DiskTrial.run(address: address)
    case "fair": try await fairness.run(address: address)
    default: fail("no trial '\(trial)'\n\(usage)")
    }
  exit(isClean ? 0 : 1)
} catch {
  fail("error: \(error)")
}
