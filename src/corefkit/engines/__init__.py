"""Engines: tables of mentions that outgrow memory, or one machine.

An engine brings mentions together, and corefkit counts them: no metric is written a
second time in SQL.

    scoring        from two tables to an `Evaluation`; begin here
    base           what an engine must be able to do
    sizes          sizes of memory, as people write them
    files          Parquet files by path, folder or glob
    sides          the columns of both tables, by what they mean
    source         the ids of their documents, as pairing sees them
    mapping        which documents are scored, under which names

    plans          the statements, plain SQL that every engine understands
    counting       blocks of whole documents through the ordinary pipeline
    frames         the rows of such a block, as two tables
    blocks         what counting gives, as bytes that travel
    counted        blocks put together: scopes `document` and `topic`

    corpus_plans   the statements for entities across documents
    corpus_checks  what is refused there
    corpus         the overlap table counted: scope `corpus`
    ceaf           how many entities are aligned, and bounds beyond
    meeting        why mentions hardly meet

    duck           DuckDB, with its errors in `duck_errors`
    spark          Spark, classic and Connect
"""

# Here and not in `scoring`, because the options of every start list them.
ENGINES = ("duckdb", "spark")
