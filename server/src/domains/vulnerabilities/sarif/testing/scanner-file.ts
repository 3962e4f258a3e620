/**
 * Files as scanners write them, with what makes each of them hard to read. `open` and `dismissed` are counted by hand: how
 * many findings of which severity and category it has to become. `places` are paths and lines of the open ones.
 */
export interface ScannerFile {
  name: string;
  log: object;
  open: Record<string, number>;
  dismissed?: Record<string, number>;
  /** How many elements of `results` are no finding. */
  rejected?: number;
  places?: readonly string[];
  /** Written in front of the file. */
  before?: string;
}

/** A place in a file. */
export const at = (uri: string, startLine?: number, more: object = {}) => ({
  physicalLocation: { artifactLocation: { uri, ...more }, ...(startLine && { region: { startLine } }) },
});
export const text = (words: string) => ({ text: words });
export const log = (...runs: object[]) => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs,
});
