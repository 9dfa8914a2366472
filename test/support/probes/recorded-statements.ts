import type { DataSource } from 'typeorm';

interface Asked {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** A database that answers as another one does, and the texts of what it was asked, also in transactions. */
export function recordStatements(dataSource: DataSource): {
  readonly dataSource: DataSource;
  readonly texts: string[];
} {
  const texts: string[] = [];
  const recording = (asked: Asked): Asked => ({
    query: (text, values) => {
      texts.push(text);
      return asked.query(text, values);
    },
  });
  const transaction = (work: (tx: unknown) => Promise<unknown>) =>
    dataSource.transaction(async (tx) => work(recording(tx as Asked)));
  return { dataSource: { ...recording(dataSource as Asked), transaction } as never, texts };
}
