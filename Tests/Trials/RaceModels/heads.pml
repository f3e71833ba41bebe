/* The number of a read transaction and the roots of its tables, which LMDB takes one after the other, beside a
 * writer that uses both head pages in turn (`StorageTransaction.moveToNewest`).
 *
 * Claim: a transaction that is used has the roots of the commit that it is named by.
 * -DUNPROTECTED takes what LMDB gives at once, and must fail; so must -DRENEWED, where renewing with the same number
 * is the proof: the roots are copied anew after the number, too. */

#define COMMITS 6

/* Of each head page: its number, and the commit whose roots it has. */
byte number[2];
byte roots[2];
/* The commit that the lock file publishes for readers. */
byte published;

/* A head page is written by one call, whose bytes others see in any order. */
inline writeHead(head, commit) {
  if
  :: roots[head] = commit; number[head] = commit
  :: number[head] = commit; roots[head] = commit
  fi
}

active proctype writer() {
  byte commit = 1;
  do
  :: commit <= COMMITS ->
     writeHead(commit % 2, commit);
     published = commit;
     commit++
  :: else -> break
  od
}

/* `mdb_txn_renew`: the number from the lock file, the roots from the head page of that number. */
inline renew() {
  id = published;
  seen = roots[id % 2]
}

active [2] proctype reader() {
  byte id, seen, newest, probe = 255;
  byte first, second;
  renew();
#ifndef UNPROTECTED
  do
  :: first = number[0];
     second = number[1];
     if
     :: first > second -> newest = first
     :: else -> newest = second
     fi;
     if
     :: newest <= id -> break
     :: newest == id + 1 ->
#ifdef RENEWED
        if
        :: id == probe -> break
        :: else -> probe = id; renew()
        fi
#else
        /* The number alone; the roots stay those copied before: the newer commit was not published by now. */
        probe = published;
        if
        :: id == probe -> break
        :: else -> renew()
        fi
#endif
     :: else -> probe = 255; renew()
     fi
  od;
#endif
  assert(seen == id)
}
