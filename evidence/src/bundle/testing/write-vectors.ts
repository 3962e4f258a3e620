import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlId, catalogVersion } from '../../controls/catalog.ts';
import { toHex } from '../../ledger/bytes.ts';
import { type CanonicalValue, canonicalJson } from '../../ledger/canonical.ts';
import { sha256 } from '../../ledger/sha256.ts';
import type { Attack } from './attacks.ts';
import { vkey } from './scene.ts';
import { bundleVectors, evaluationVectors } from './vectors.ts';

/** The content of `vectors.json`, as docs/format/README.md describes it. */
export interface VectorTable {
  readonly format: 1;
  readonly catalog: string;
  readonly key: string;
  readonly bundles: readonly {
    readonly file: string;
    readonly sha256: string;
    readonly name: string;
    readonly step: number | null;
    readonly previous: string | null;
    readonly witness: string | null;
    readonly disclosureKey: string | null;
  }[];
  readonly evaluations: readonly { readonly file: string; readonly control: ControlId }[];
}

/** Writes the test vectors of the format of bundles, or those of some attacks, into a folder. Returns the table that it writes too. */
export async function writeVectors(folder: string, tried?: readonly Attack[]): Promise<VectorTable> {
  for (const name of ['bundles', 'evaluations']) mkdirSync(join(folder, name), { recursive: true });
  const write = (file: string, content: Uint8Array | string): string => {
    writeFileSync(join(folder, file), content);
    return file;
  };
  const bundles: VectorTable['bundles'][number][] = [];
  for await (const { name, bundle, previous, witness, disclosureKey, step } of bundleVectors(tried)) {
    const number = numbered(bundles.length);
    bundles.push({
      file: write(`bundles/${number}.zip`, bundle),
      sha256: toHex(sha256(bundle)),
      name,
      step,
      previous: previous ? write(`bundles/${number}-previous.zip`, previous) : null,
      witness: witness ?? null,
      disclosureKey: disclosureKey ? write(`bundles/${number}-disclosure-key.json`, disclosureKey) : null,
    });
  }
  const evaluations = evaluationVectors().map((vector, index) => ({
    file: write(`evaluations/${numbered(index)}.json`, canonicalJson(vector as unknown as CanonicalValue)),
    control: vector.control,
  }));
  const table = { format: 1, catalog: catalogVersion, key: vkey, bundles, evaluations } as const;
  write('vectors.json', `${JSON.stringify(table, undefined, 2)}\n`);
  return table;
}

const numbered = (index: number): string => String(index + 1).padStart(3, '0');
