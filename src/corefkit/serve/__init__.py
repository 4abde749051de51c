"""A local web application: upload a key and responses, get the report, rank systems.

server      socket, tokens, and checks of every request
app         addresses and answers
board       pages: runs, leaderboards; `templates/` has their HTML
jobs        queue, and a process of `corefkit report` for each run
store       runs in an SQLite file; limits
"""
