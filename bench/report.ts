export type ReportRow = { name: string } & Record<string, string | number>;

/** Prints the progress of a long preparation to standard error, which contains no figures. */
export const printProgress = (text: string): void => console.error(`… ${text}`);

/** Prints figures twice: a table for readers, and a JSON line for scripts that compare runs. */
export function printReport(benchmark: string, rows: readonly ReportRow[]): void {
  console.log(`\n${benchmark}`);
  console.table(Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures])));
  for (const row of rows) console.log(JSON.stringify({ benchmark, ...row }));
}
