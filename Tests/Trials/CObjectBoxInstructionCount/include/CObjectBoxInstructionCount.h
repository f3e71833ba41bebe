#ifndef C_OBJECTBOX_INSTRUCTION_COUNT_H
#define C_OBJECTBOX_INSTRUCTION_COUNT_H

// Counts the instructions of parts of a program that runs under valgrind's callgrind.

// Whether this program runs under valgrind, and was compiled with its header.
int objectbox_test_counts_instructions(void);
// Begins to count the instructions of all threads.
void objectbox_test_begin_count(void);
// Ends the count, which callgrind writes to its next file.
void objectbox_test_end_count(void);

#endif
