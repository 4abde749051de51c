"""A local web application: upload a key and responses, get the report, rank systems.

server      address, tokens, start and end
app         checks of every request, addresses and answers
board       pages: runs, leaderboards; `templates/` has their HTML
jobs        limits, a queue, and a process of `corefkit report` for each run
store       runs in an SQLite file
"""
