export type ReportRow = { name: string } & Record<string, string | number>;

/** Says how far a long preparation is, where people look and figures do not go. */
export const progress = (text: string): void => console.error(`… ${text}`);

/** Prints figures twice: a table for people, and a JSON line for whoever compares runs. */
export function report(benchmark: string, rows: readonly ReportRow[]): void {
  console.log(`\n${benchmark}`);
  console.table(Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures])));
  for (const row of rows) console.log(JSON.stringify({ benchmark, ...row }));
}
