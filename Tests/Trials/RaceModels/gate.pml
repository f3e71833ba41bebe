/* The write lock of a process with its queue (`WriterGate`): callers that block, and one background request, which
 * is granted after PATIENCE of them at most.
 *
 * Claims: one holder at a time; everyone who asks is granted the lock in the end (else SPIN finds an invalid end
 * state); the background request is not overtaken more often than PATIENCE times.
 * -DUNPROTECTED leaves without a look at the mark that others wait, and must fail. */

#define CALLERS 4
#define PATIENCE 2

mtype = { isFree, isHeld, isWanted };
mtype mark = isFree;

/* The lock of the waiters. */
bool isLocked;
inline lock() { atomic { !isLocked -> isLocked = true } }
inline unlock() { isLocked = false }

/* The blocked callers in their order. */
chan blocked = [CALLERS] of { byte };
bool granted[CALLERS];
bool backgroundWaits, backgroundGranted;
byte overtakings;

byte holders;

inline hold() {
  holders++;
  assert(holders == 1);
  holders--
}

/* Takes the lock if it is free, else marks it: one exchange. */
inline takeOrMark(isTaken) {
  atomic {
    isTaken = (mark == isFree);
    mark = isWanted
  }
}

inline handOn() {
  lock();
  if
  :: backgroundWaits && (empty(blocked) || overtakings >= PATIENCE) ->
     backgroundWaits = false;
     unlock();
     backgroundGranted = true
  :: else ->
     if
     :: empty(blocked) -> mark = isFree; unlock()
     :: else ->
        if
        :: backgroundWaits -> overtakings++; assert(overtakings <= PATIENCE)
        :: else
        fi;
        blocked?next;
        unlock();
        granted[next] = true
     fi
  fi
}

inline leave() {
#ifdef UNPROTECTED
  mark = isFree
#else
  atomic {
    isPlain = (mark == isHeld);
    if
    :: isPlain -> mark = isFree
    :: else
    fi
  }
  if
  :: isPlain
  :: else -> handOn()
  fi
#endif
}

proctype caller(byte own) {
  byte next;
  bool isTaken, isPlain;
  /* At once, or in order. */
  atomic {
    isTaken = (mark == isFree);
    if
    :: isTaken -> mark = isHeld
    :: else
    fi
  }
  if
  :: isTaken
  :: else ->
     lock();
     takeOrMark(isTaken);
     if
     :: isTaken -> unlock()
     :: else ->
        blocked!own;
        unlock();
        granted[own]
     fi
  fi;
  hold();
  leave()
}

proctype background() {
  byte next;
  bool isTaken, isPlain;
  lock();
  takeOrMark(isTaken);
  if
  :: isTaken -> unlock()
  :: else ->
     backgroundWaits = true;
     overtakings = 0;
     unlock();
     backgroundGranted
  fi;
  hold();
  leave()
}

init {
  byte number = 0;
  atomic {
    do
    :: number < CALLERS -> run caller(number); number++
    :: else -> break
    od;
    run background()
  }
}
