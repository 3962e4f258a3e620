import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments, visit } from 'yaml';

/** A script as the file holds it, and on which line of the file each place of it stands. */
export interface Script {
  text: string;
  lineAt: (offset: number) => number;
}

/** A YAML file as its detectors read it. Anchors and merge keys are followed, as far as a bound for bombs of them. */
export interface Yaml {
  roots: unknown[];
  /** The value of a key; undefined where there is none or the node is no map. */
  get: (node: unknown, key: string) => unknown;
  pairs: (node: unknown) => { key: string; value: unknown; line: number }[];
  items: (node: unknown) => unknown[];
  text: (node: unknown) => string | undefined;
  lineOf: (node: unknown) => number;
  /** The line of the file itself. */
  source: (line: number) => string;
  script: (node: unknown) => Script | undefined;
}

const mostLooks = 60_000;

/** Reads YAML; undefined for what is none. Throws RangeError for what only makes work. */
export function readYaml(content: string): Yaml | undefined {
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
  let looks = 0;
  const spend = (count: number) => {
    looks += count;
    if (looks > mostLooks) throw new RangeError('Too much to read');
  };

  const at = (node: unknown): unknown => (isAlias(node) ? anchors.get(node.source) : node);
  const offsetOf = (node: unknown): number =>
    typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
      ? Number(node.range[0])
      : 0;
  const lineAt = (offset: number) => counter.linePos(offset).line;

  function pairs(written: unknown, depth = 0): { key: string; value: unknown; line: number }[] {
    const node = at(written);
    if (!isMap(node) || depth > 10) return [];
    spend(node.items.length + 1);
    return node.items.flatMap(({ key, value }) => {
      const name = isScalar(key) ? String(key.value) : '';
      if (name !== '<<') return [{ key: name, value: at(value), line: lineAt(offsetOf(key)) }];
      const merged = at(value);
      return (isSeq(merged) ? merged.items : [merged]).flatMap((one) => pairs(one, depth + 1));
    });
  }

  function items(written: unknown): unknown[] {
    const node = at(written);
    if (!isSeq(node)) return [];
    spend(node.items.length + 1);
    return node.items.map(at);
  }

  const text = (written: unknown) => {
    const node = at(written);
    if (!isScalar(node)) return undefined;
    return typeof node.value === 'string' || typeof node.value === 'number' ? String(node.value) : undefined;
  };

  return {
    roots: documents.flatMap(({ contents }) => (contents ? [contents] : [])),
    get: (node, key) => pairs(node).find((pair) => pair.key === key)?.value,
    pairs: (node) => pairs(node),
    items,
    text,
    lineOf: (node) => lineAt(offsetOf(at(node))),
    source: (line) => lines[line - 1] ?? '',
    script(written) {
      const node = at(written);
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
