/**
 * Scanner files with a difficulty each. `open` and `dismissed` are counted manually: the expected number of findings by
 * severity and category. `places` are paths and lines of the open ones.
 */
export interface ScannerFile {
  name: string;
  log: object;
  open: Record<string, number>;
  dismissed?: Record<string, number>;
  /** Number of rejected elements of `results`. */
  rejected?: number;
  places?: readonly string[];
  /** Text before the JSON of the file. */
  before?: string;
}

/** A location in a file. */
export const testLocation = (uri: string, startLine?: number, more: object = {}) => ({
  physicalLocation: { artifactLocation: { uri, ...more }, ...(startLine && { region: { startLine } }) },
});
export const testMessage = (words: string) => ({ text: words });
export const testLog = (...runs: object[]) => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs,
});
