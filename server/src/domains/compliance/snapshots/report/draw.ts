import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isList, isRecord, type Plain } from '@sightline/evidence/ledger/canonical.ts';
import { type Letters, lettersOf } from './letters.ts';

/** What `reportOf` answers. */
export interface Drawn {
  at: number;
  data: Plain;
}

/** What a worker is given: what is to be drawn as JSON of letters that can be, and where the fonts are. */
export interface Ordered {
  at: number;
  data: string;
  fonts: string[];
}
/** What it answers. */
export type DrawingResult = { pdf: Uint8Array } | { missing: string } | { failed: string };

const fonts = [
  '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
  '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf',
  '@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf',
].map((path) => fileURLToPath(import.meta.resolve(path)));

/**
 * Draws the report of a bundle as PDF (PDF/A-2a as the compiler declares and checks it), in a process of its own, which gives its memory back
 * when it ends (some 200 MB for 5 000 rows) and has none of the server's secrets; the same data make the same bytes. Undefined where there is no
 * compiler for this platform. Throws where what is to be drawn cannot be.
 */
export async function drawReport({ at, data }: Drawn): Promise<Uint8Array | undefined> {
  const letters = await lettersOf(fonts, JSON.stringify(data));
  const answer = await drawApart({ at, data: JSON.stringify(spelt(data, letters)), fonts });
  if ('failed' in answer) throw new Error(`The report could not be created: ${answer.failed.slice(0, 500)}`);
  return 'pdf' in answer ? answer.pdf : undefined;
}

const drawApart = (ordered: Ordered): Promise<DrawingResult> =>
  new Promise((resolve, reject) => {
    const worker = fork(fileURLToPath(new URL('worker.mjs', import.meta.url)), {
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    worker.once('message', (answer) => resolve(answer as DrawingResult));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The report was not created: its process ended')));
    worker.send(ordered);
  });

function spelt(value: Plain, letters: Letters): Plain {
  if (typeof value === 'string') return letters.spelt(value);
  if (isList(value)) return value.map((one) => spelt(one, letters));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spelt(one, letters)]));
}
