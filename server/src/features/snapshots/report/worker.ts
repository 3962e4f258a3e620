import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isList, isRecord, type Plain } from '@sightline/evidence/ledger/canonical.ts';
import { type Letters, lettersOf } from './letters.ts';

/** What a worker is given: what `reportOf` answers. */
export interface Drawn {
  at: number;
  data: Plain;
}
/** What it answers. */
export type Answer = { pdf: Uint8Array } | { missing: string } | { failed: string };

const fonts = [
  '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
  '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf',
  '@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf',
].map((path) => fileURLToPath(import.meta.resolve(path)));

/** Draws while everything else goes on: the compiler blocks the process it runs in. */
async function draw({ at, data }: Drawn): Promise<Answer> {
  const found = await import('@myriaddreamin/typst-ts-node-compiler').catch((error: unknown) => String(error));
  if (typeof found === 'string') return { missing: found };
  const { NodeCompiler } = found;
  const compiler = NodeCompiler.create({
    // The fonts that come with Sightline, which the report names. The compiler knows those of the machine too: where one has the same name,
    // other bytes may come of it, which is one more reason to draw a report once and keep it.
    fontArgs: [{ fontBlobs: fonts.map((path) => readFileSync(path)) }],
  });
  const pdf = compiler.pdf(
    {
      mainFileContent: readFileSync(new URL('report.typ', import.meta.url), 'utf8'),
      inputs: { data: JSON.stringify(spelt(data, lettersOf(fonts))) },
    },
    { pdfStandard: 'a-2a', creationTimestamp: at },
  );
  return { pdf: new Uint8Array(pdf) };
}

function spelt(value: Plain, letters: Letters): Plain {
  if (typeof value === 'string') return letters.spelt(value);
  if (isList(value)) return value.map((one) => spelt(one, letters));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spelt(one, letters)]));
}

process.once('message', async (asked) => {
  const answer = await draw(asked as Drawn).catch(
    (error: unknown): Answer => ({ failed: error instanceof Error ? error.message : String(error) }),
  );
  process.send?.(answer, () => process.disconnect());
});
