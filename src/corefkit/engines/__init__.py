"""Engines: tables of mentions that outgrow memory, or one machine.

An engine brings mentions together, and corefkit counts them: no metric is written a
second time in SQL.

    base      what an engine must be able to do
    plans     the statements, plain SQL that every engine understands
    counting  blocks of whole documents through the ordinary pipeline
    duck      DuckDB
    spark     Spark, classic and Connect
    scoring   from two tables to an `Evaluation`
"""
