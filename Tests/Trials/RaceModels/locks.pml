/* The locks between processes (`ProcessLocks`), which belong to an open file, while processes make a store's file,
 * open it alone, and remove it: a file that is locked may have lost its name to another one.
 *
 * Claims: one process at a time has a store open for writing alone, under the name of its file; nobody removes or
 * replaces a file that another process has open; everyone comes to an end.
 * -DUNPROTECTED does not look whether the file that was locked still has its name, and must fail. */

#define PROCESSES 3
#define FILES 10
#define NONE 255

/* The file that has the name; others live on while they are open. */
byte name = NONE;
byte fileCount;
/* Whether a file has a first commit, or is empty. */
bool isMade[FILES];
/* Locks of single bytes: exclusive holders and sharers. */
bool opening[FILES];
bool writing[FILES];
byte present[FILES];
bool isAlone[FILES];

byte openers;

inline openOrCreate(isCreating) {
  atomic {
    if
    :: name == NONE && isCreating && fileCount < FILES -> name = fileCount; fileCount++
    :: else
    fi;
    file = name
  }
}

inline waitForOpening() { atomic { !opening[file] -> opening[file] = true } }

proctype opener() {
  byte file, other;
  bool isOwn;
again:
  openOrCreate(true);
  if
  :: file == NONE -> goto over
  :: else
  fi;
  waitForOpening();
#ifdef UNPROTECTED
  isOwn = true;
#else
  isOwn = (name == file);
#endif
  if
  :: !isOwn -> opening[file] = false; goto again
  :: else
  fi;
  atomic {
    if
    :: writing[file] -> opening[file] = false; goto over
    :: else -> writing[file] = true
    fi
  }
  present[file]++;
  if
  :: !isMade[file] ->
     /* Alone: the lock of presence becomes exclusive for a moment. */
     if
     :: present[file] == 1 && fileCount < FILES ->
        atomic {
          other = fileCount;
          fileCount++;
          isMade[other] = true
        }
        /* The new file takes the name; the locks still belong to the former file. */
        name = other
     :: else
     fi;
     present[file]--;
     writing[file] = false;
     opening[file] = false;
     if
     :: fileCount < FILES -> goto again
     :: else -> goto over
     fi
  :: else
  fi;
  opening[file] = false;
  /* Open. */
  openers++;
  assert(openers == 1);
  assert(name == file);
  openers--;
  atomic {
    writing[file] = false;
    present[file]--
  }
over:
  skip
}

proctype remover() {
  byte file;
  bool isOwn;
  openOrCreate(false);
  if
  :: file == NONE -> goto over
  :: else
  fi;
  waitForOpening();
  if
  :: present[file] > 0 -> opening[file] = false; goto over
  :: else
  fi;
#ifdef UNPROTECTED
  isOwn = true;
#else
  isOwn = (name == file);
#endif
  if
  :: isOwn -> name = NONE
  :: else
  fi;
  opening[file] = false;
over:
  skip
}

init {
  atomic {
    run opener();
    run opener();
    run remover();
    run opener()
  }
}
