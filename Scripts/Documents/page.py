"""Fails unless `objectbox browse` serves its page at an address.

usage: page.py ADDRESS
"""

import sys
import urllib.request

with urllib.request.urlopen(sys.argv[1], timeout=30) as answer:
    page = answer.read().decode()
if "<title" not in page:
    sys.exit(f"'{sys.argv[1]}' answers with another page:\n{page}")
