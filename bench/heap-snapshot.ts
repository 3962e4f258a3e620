import { readFile } from 'node:fs/promises';
import type { ReportRow } from './report.ts';

interface HeapSnapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
  strings: string[];
}

/** The live objects of one kind in a heap snapshot. */
export interface HeapGroup {
  count: number;
  /** Of the objects themselves, without what they refer to. */
  bytes: number;
}

/**
 * Reads a heap snapshot and groups its objects: by constructor for objects and closures' shared code, and by type for
 * strings, arrays and code, whose names say nothing.
 */
export async function readHeapGroups(file: string): Promise<Map<string, HeapGroup>> {
  const { snapshot, nodes, strings } = JSON.parse(await readFile(file, 'latin1')) as HeapSnapshot;
  const fields = snapshot.meta.node_fields;
  const at = (field: string) => fields.indexOf(field);
  const [typeAt, nameAt, sizeAt] = [at('type'), at('name'), at('self_size')];
  const types = snapshot.meta.node_types[typeAt] as string[];
  const groups = new Map<string, HeapGroup>();
  for (let node = 0; node < nodes.length; node += fields.length) {
    const type = types[nodes[node + typeAt] ?? 0] ?? '';
    const name = strings[nodes[node + nameAt] ?? 0] ?? '';
    const key = ['object', 'native'].includes(type) || isNamed(type, name) ? `${type} ${name.slice(0, 60)}` : type;
    const group = groups.get(key) ?? { count: 0, bytes: 0 };
    group.count += 1;
    group.bytes += nodes[node + sizeAt] ?? 0;
    groups.set(key, group);
  }
  return groups;
}

/** Hidden objects and closures are named by what they belong to; strings by their content. */
const isNamed = (type: string, name: string) =>
  type === 'closure' || type === 'hidden' || type === 'object shape' || (type === 'array' && name !== '');

/** Returns the `howMany` groups that grew most between two snapshots, or the largest of one. */
export function largestGroups(
  after: ReadonlyMap<string, HeapGroup>,
  before: ReadonlyMap<string, HeapGroup> = new Map(),
  howMany = 10,
): ReportRow[] {
  const rows = [...after].map(([name, group]) => {
    const earlier = before.get(name) ?? { count: 0, bytes: 0 };
    return { name, bytes: group.bytes - earlier.bytes, count: group.count - earlier.count };
  });
  return rows
    .sort((one, other) => other.bytes - one.bytes)
    .slice(0, howMany)
    .map(({ name, bytes, count }) => ({ name, MB: Number((bytes / 1e6).toFixed(2)), count }));
}
