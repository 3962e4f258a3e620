// Plain JavaScript: type stripping would double the startup time.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Renders in a separate process, because the compiler blocks its own.
 * @param {import('./draw.ts').Ordered} ordered
 * @returns {Promise<import('./draw.ts').DrawingResult>}
 */
async function draw({ at, template, data, fonts }) {
  const found = await import('@myriaddreamin/typst-ts-node-compiler').catch((error) => String(error));
  if (typeof found === 'string') return { missing: found };
  const compiler = found.NodeCompiler.create({
    // The bundled fonts that the report names. The compiler also knows the fonts of the machine: one with the same name
    // may change the bytes, which is another reason to store the first report.
    fontArgs: [{ fontBlobs: fonts.map((path) => readFileSync(path)) }],
  });
  const mainFileContent = readFileSync(fileURLToPath(new URL(`${template}.typ`, import.meta.url)), 'utf8');
  const pdf = compiler.pdf({ mainFileContent, inputs: { data } }, { pdfStandard: 'a-2a', creationTimestamp: at });
  return { pdf: new Uint8Array(pdf) };
}

process.once('message', async (ordered) => {
  const answer = await draw(ordered).catch((error) => ({
    failed: error instanceof Error ? error.message : String(error),
  }));
  process.send?.(answer, () => process.disconnect());
});
