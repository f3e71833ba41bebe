/* Closing a store beside reads of other threads (`TransactionScheduler.begin`, `leave`, `closeIfIdle`): a thread marks
 * itself active and then looks whether the store is closing; the closer marks the store and then looks for active
 * threads.
 *
 * Each processor has a buffer that delays its stores. A sequentially consistent store waits until it is empty.
 * Claims: no thread uses a closed file, and the file is closed in the end.
 * -DUNPROTECTED lets the thread's mark be seen late, as a relaxed store may be, and must fail. */

#define READERS 2
#define READS 2

bool closing, isClosed;
bool inUse[READERS];
/* The store of `inUse` that has not left the processor of a reader. */
bool isDelayed[READERS];
byte done;

proctype reader(byte own) {
  byte reads = 0;
  do
  :: reads < READS ->
#ifdef UNPROTECTED
     isDelayed[own] = true;
#else
     inUse[own] = true;
#endif
     if
     :: closing
     :: else -> assert(!isClosed)
     fi;
     /* Leaving: the buffer is in order. */
     atomic {
       isDelayed[own] = false;
       inUse[own] = false
     }
     if
     :: closing -> break
     :: else
     fi;
     reads++
  :: else -> break
  od;
  done++
}

/* Stores leave a buffer at any time. */
proctype buffer(byte own) {
end:
  do
  :: atomic { isDelayed[own] -> inUse[own] = true; isDelayed[own] = false }
  od
}

proctype closer() {
  byte number;
  bool isIdle;
  closing = true;
  do
  :: isIdle = true;
     number = 0;
     do
     :: number < READERS ->
        if
        :: inUse[number] -> isIdle = false
        :: else
        fi;
        number++
     :: else -> break
     od;
     if
     :: isIdle -> break
     :: else
     fi
  od;
  isClosed = true;
  done++
}

init {
  byte number = 0;
  atomic {
    do
    :: number < READERS -> run reader(number); run buffer(number); number++
    :: else -> break
    od;
    run closer()
  }
  done == READERS + 1;
  assert(isClosed)
}
