import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments, visit } from 'yaml';

/** A script with the line numbers of its offsets in the file. */
export interface YamlScript {
  text: string;
  lineAt: (offset: number) => number;
}

/** Accessors of a YAML file for detectors. They resolve anchors and merge keys, with a limit against alias bombs. */
export interface YamlReader {
  roots: unknown[];
  /** Returns the value of a key; undefined without the key, or if the node is no map. */
  get: (node: unknown, key: string) => unknown;
  pairs: (node: unknown) => { key: string; value: unknown; line: number }[];
  items: (node: unknown) => unknown[];
  text: (node: unknown) => string | undefined;
  lineOf: (node: unknown) => number;
  /** Returns the text of a line of the file. */
  source: (line: number) => string;
  script: (node: unknown) => YamlScript | undefined;
}

const MAX_READS = 60_000;

/** Parses YAML; undefined if invalid. Reading throws RangeError above the limit. */
export function readYaml(content: string): YamlReader | undefined {
  const counter = new LineCounter();
  const documents = parseAllDocuments(content, {
    lineCounter: counter,
    uniqueKeys: false,
    logLevel: 'silent',
    merge: true,
  });
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return undefined;
  const lines = content.split('\n');
  const anchors = new Map<string, Node>();
  for (const document of documents) {
    visit(document, {
      Node: (_, node) => {
        if ('anchor' in node && typeof node.anchor === 'string') anchors.set(node.anchor, node);
      },
    });
  }
  let reads = 0;
  const countReads = (count: number) => {
    reads += count;
    if (reads > MAX_READS) throw new RangeError('Too much to read');
  };

  const resolveAlias = (node: unknown): unknown => (isAlias(node) ? anchors.get(node.source) : node);
  const offsetOf = (node: unknown): number =>
    typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
      ? Number(node.range[0])
      : 0;
  const lineAt = (offset: number) => counter.linePos(offset).line;

  function pairs(written: unknown, depth = 0): { key: string; value: unknown; line: number }[] {
    const node = resolveAlias(written);
    if (!isMap(node) || depth > 10) return [];
    countReads(node.items.length + 1);
    return node.items.flatMap(({ key, value }) => {
      const name = isScalar(key) ? String(key.value) : '';
      if (name !== '<<') return [{ key: name, value: resolveAlias(value), line: lineAt(offsetOf(key)) }];
      const merged = resolveAlias(value);
      return (isSeq(merged) ? merged.items : [merged]).flatMap((one) => pairs(one, depth + 1));
    });
  }

  function items(written: unknown): unknown[] {
    const node = resolveAlias(written);
    if (!isSeq(node)) return [];
    countReads(node.items.length + 1);
    return node.items.map(resolveAlias);
  }

  const text = (written: unknown) => {
    const node = resolveAlias(written);
    if (!isScalar(node)) return undefined;
    return typeof node.value === 'string' || typeof node.value === 'number' ? String(node.value) : undefined;
  };

  return {
    roots: documents.flatMap(({ contents }) => (contents ? [contents] : [])),
    get: (node, key) => pairs(node).find((pair) => pair.key === key)?.value,
    pairs: (node) => pairs(node),
    items,
    text,
    lineOf: (node) => lineAt(offsetOf(resolveAlias(node))),
    source: (line) => lines[line - 1] ?? '',
    script(written) {
      const node = resolveAlias(written);
      const value = text(node);
      if (!isScalar(node) || value === undefined) return undefined;
      const [start = 0, end = start] = node.range ?? [];
      if (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE') {
        return { text: value, lineAt: () => lineAt(start) };
      }
      const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
      const from = isBlock ? content.indexOf('\n', start) + 1 : start;
      const raw = from === 0 ? '' : content.slice(from, end);
      // Folded lines are one command.
      const folded = node.type === 'BLOCK_LITERAL' ? raw : raw.replaceAll(/\n(?!\s*\n)/g, ' ');
      return { text: folded, lineAt: (offset) => lineAt(from + offset) };
    },
  };
}
