// Plain JavaScript: a process that has types to take away begins twice as late.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Draws while everything else goes on: the compiler blocks the process it runs in.
 * @param {import('./draw.ts').Ordered} ordered
 * @returns {Promise<import('./draw.ts').Answer>}
 */
async function draw({ at, data, fonts }) {
  const found = await import('@myriaddreamin/typst-ts-node-compiler').catch((error) => String(error));
  if (typeof found === 'string') return { missing: found };
  const compiler = found.NodeCompiler.create({
    // The fonts that come with Sightline, which the report names. The compiler knows those of the machine too: where one has the same name,
    // other bytes may come of it, which is one more reason to draw a report once and keep it.
    fontArgs: [{ fontBlobs: fonts.map((path) => readFileSync(path)) }],
  });
  const mainFileContent = readFileSync(fileURLToPath(new URL('report.typ', import.meta.url)), 'utf8');
  const pdf = compiler.pdf({ mainFileContent, inputs: { data } }, { pdfStandard: 'a-2a', creationTimestamp: at });
  return { pdf: new Uint8Array(pdf) };
}

process.once('message', async (ordered) => {
  const answer = await draw(ordered).catch((error) => ({
    failed: error instanceof Error ? error.message : String(error),
  }));
  process.send?.(answer, () => process.disconnect());
});
