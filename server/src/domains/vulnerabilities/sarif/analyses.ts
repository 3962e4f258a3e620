import type { Analysis, RejectedResult, ScannerResult } from '#providers/scanner.ts';
import { incompleteReasonsOf } from './incomplete.ts';
import { formatJsonPath } from './json.ts';
import type { RunHead } from './log.ts';
import type { SarifFile } from './read.ts';
import { createResultReader } from './results.ts';

export interface UploadParameters {
  repositoryId: string;
  /** A full ref. */
  ref: string;
  /** Undefined: the value in the file, if any. */
  commit: string | undefined;
  category: string | undefined;
}

export interface SarifAnalysis {
  analysis: Analysis;
  /** Number of results of the runs, including rejected ones. */
  total: number;
  results: () => AsyncGenerator<ScannerResult | RejectedResult>;
}

/**
 * Returns the analyses of a file: one for each scanner and category. Runs of the same analysis are combined; otherwise
 * the second would mark the results of the first as fixed.
 */
export function sarifAnalysesOf(file: SarifFile, upload: UploadParameters): SarifAnalysis[] {
  const runs = file.runs.map((head, index) => ({
    head,
    index,
    tool: toolOf(head),
    category: categoryOf(head, upload),
  }));
  const groups = Map.groupBy(runs, ({ tool, category }) => `${tool.key}\n${category}`);
  return [...groups.values()].map((group) => {
    const [first] = group as [(typeof runs)[number]];
    return {
      analysis: {
        repositoryId: upload.repositoryId,
        source: 'sarif',
        tool: first.tool,
        category: first.category,
        ref: upload.ref,
        commit: upload.commit?.toLowerCase() ?? first.head.commit ?? null,
        nativeId: null,
        ...completenessOf(group.map(({ head }) => head)),
      },
      total: group.reduce((sum, { head }) => sum + head.results, 0),
      results: () => resultsOf(file, group),
    };
  });
}

function completenessOf(heads: readonly RunHead[]): Pick<Analysis, 'complete' | 'incomplete'> {
  const incomplete = heads.flatMap(incompleteReasonsOf).slice(0, 20);
  return { complete: incomplete.length === 0, incomplete };
}

async function* resultsOf(
  file: SarifFile,
  runs: readonly { head: RunHead; index: number }[],
): AsyncGenerator<ScannerResult | RejectedResult> {
  for (const { head, index } of runs) {
    const read = createResultReader(head);
    let position = 0;
    for await (const raw of file.resultsOf(head)) {
      yield read(raw, formatJsonPath(['runs', index, 'results', position]));
      position += 1;
    }
  }
}

function toolOf({ driver }: RunHead): Analysis['tool'] {
  // A comma separates the scanners of a filter.
  const name = driver.name.replaceAll(',', ' ').replace(/\s+/g, ' ').trim();
  return { key: toolKeyOf(name), name, version: driver.semanticVersion ?? driver.version ?? null };
}

// The editions of Semgrep, which name themselves in SARIF, find the same as its platform.
const toolKeyOf = (name: string): string => name.toLowerCase().replace(/^semgrep (oss|pro)$/, 'semgrep');

/** The automation ID up to the last slash; the text after it identifies the run. */
const categoryOf = ({ automation }: RunHead, { category }: UploadParameters): string => {
  if (category !== undefined) return category;
  return automation?.includes('/') ? automation.slice(0, automation.lastIndexOf('/')) : '';
};
