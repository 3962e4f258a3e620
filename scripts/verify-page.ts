// npm run verify-page: writes evidence/verify.html and evidence/reconcile.html, files for auditors that work without a
// server, and their hashes into docs/verifying.md. With --check it only reports whether they are out of date.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'vite';

const at = (path: string) => new URL(`../${path}`, import.meta.url);

/** The pages by name, and where they may connect to. */
const pages: readonly { name: string; connections?: string }[] = [
  { name: 'verify' },
  // Of plain HTTP only this machine, for a sandbox.
  { name: 'reconcile', connections: 'https: http://localhost:* http://127.0.0.1:*' },
];

let docs = readFileSync(at('docs/verifying.md'), 'utf8');
const written = docs;
for (const { name, connections } of pages) {
  const page = await pageText(name, connections);
  const path = `evidence/${name}.html`;
  const sha256 = createHash('sha256').update(page).digest('hex');
  docs = docs.replace(new RegExp(`(\\b${name}\\.html\\b[^\\0]*?)\`[0-9a-f]{64}\``), `$1\`${sha256}\``);
  if (!process.argv.includes('--check')) {
    writeFileSync(at(path), page);
    console.log(`${path}: ${page.length} characters, SHA-256 ${sha256}`);
  } else if (readFileSync(at(path), 'utf8') !== page) reportStale(path);
}
if (!process.argv.includes('--check')) writeFileSync(at('docs/verifying.md'), docs);
else if (docs !== written) reportStale('docs/verifying.md');

function reportStale(path: string): void {
  console.error(`${path} is stale: run \`npm run verify-page\` and commit it`);
  process.exitCode = 1;
}

async function pageText(name: string, connections: string | undefined): Promise<string> {
  const script = await scriptText(name);
  const tokens = readFileSync(at('web/src/app/tokens.css'), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const style = `${tokens}${readFileSync(at('web/src/verify/page.css'), 'utf8')}`.replace(/\s+/g, ' ');
  const connect = connections === undefined ? '' : ` connect-src ${connections};`;
  const policy = `default-src 'none'; script-src 'sha256-${hashOf(script)}'; style-src 'sha256-${hashOf(style)}';${connect} base-uri 'none'; form-action 'none'`;
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<style>${style}</style>`;
  return readFileSync(at(`web/src/${name}/page.html`), 'utf8')
    .replace('<!--head-->', () => head)
    .replace('<!--script-->', () => `<script>${script}</script>`);
}

async function scriptText(name: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: at(`web/src/${name}/page.ts`).pathname, formats: ['iife'], name },
    },
  });
  const [first] = [built].flat();
  const chunk = first && 'output' in first ? first.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error('The script of the page was not built');
  if (chunk.code.includes('</script')) throw new Error('The script would end its own element');
  return chunk.code.trim();
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
