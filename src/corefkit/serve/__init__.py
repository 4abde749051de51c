"""A local application: send a key and responses, get the report; runs are kept.

The way of a run:

    door        who may ask at all: host, origin, token
    app         what can be asked: addresses and answers
    body        the bytes of a request
    spool       files that were sent, on disk, by their hashes
    jobs        runs on their way, in a queue
    children    a folder and a process for each, within limits
    child       that process: reads what is asked, leaves what came out
    scoring     what it does: report and scores
    store       runs in an SQLite file, each one transaction
    pages       runs, one run, the leaderboard of a key

    limits, values, names, corpora, schema       what these share
    running     the server itself: port, token, start and end
"""
