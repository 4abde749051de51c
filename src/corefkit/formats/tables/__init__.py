"""Tables with a mention in each row: TSV, CSV, Parquet, data frames."""
