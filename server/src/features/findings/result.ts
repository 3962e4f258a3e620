/** What finding_detail holds of a result, as JSON. The words about its rule are in finding_text. */
export type StoredDetail = {
  message: string;
  snippet: string | null;
  flow: readonly { filePath: string; line: number; endLine: number | null; message: string }[];
  package: { name: string; version: string | null; fixedIn: string | null } | null;
  compliances: readonly { framework: string; control: string }[];
};
