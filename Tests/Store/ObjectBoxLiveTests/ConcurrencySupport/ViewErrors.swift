import ObjectBox
import ObjectBoxLive

func isInvalidated(_ error: any Error) -> Bool {
  if case ObjectBoxError.invalidated = error { true } else { false }
}

func isNotSchedulable(_ error: (any Error)?) -> Bool {
  if case ObjectBoxError.asyncWriteNotSchedulable? = error { true } else { false }
}

func isWrongIsolation(_ error: any Error) -> Bool {
  if case ObjectBoxError.wrongIsolation = error { true } else { false }
}

func isDifferentStore(_ error: any Error) -> Bool {
  if case ObjectBoxError.differentStore = error { true } else { false }
}

func isFrozen(_ error: any Error) -> Bool {
  if case ObjectBoxError.frozen = error { true } else { false }
}
