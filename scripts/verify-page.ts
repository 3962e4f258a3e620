// npm run verify-page: writes evidence/verify.html, a file that verifies bundles without a server, and its hash into
// docs/verifying.md. With --check it only reports whether they are out of date.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'vite';

const at = (path: string) => new URL(`../${path}`, import.meta.url);
const source = (name: string) => readFileSync(at(`web/src/verify/${name}`), 'utf8');

const page = await pageText();
const sha256 = createHash('sha256').update(page).digest('hex');
const docs = readFileSync(at('docs/verifying.md'), 'utf8');
const named = docs.replace(/`[0-9a-f]{64}`/, `\`${sha256}\``);
if (process.argv.includes('--check')) {
  if (readFileSync(at('evidence/verify.html'), 'utf8') !== page || named !== docs) {
    console.error('evidence/verify.html is stale: run `npm run verify-page` and commit it');
    process.exitCode = 1;
  }
} else {
  writeFileSync(at('evidence/verify.html'), page);
  writeFileSync(at('docs/verifying.md'), named);
  console.log(`evidence/verify.html: ${page.length} characters, SHA-256 ${sha256}`);
}

async function pageText(): Promise<string> {
  const script = await scriptText();
  const tokens = readFileSync(at('web/src/app/tokens.css'), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const style = `${tokens}${source('page.css')}`.replace(/\s+/g, ' ');
  const policy = `default-src 'none'; script-src 'sha256-${hashOf(script)}'; style-src 'sha256-${hashOf(style)}'; base-uri 'none'; form-action 'none'`;
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<style>${style}</style>`;
  return source('page.html')
    .replace('<!--head-->', () => head)
    .replace('<!--script-->', () => `<script>${script}</script>`);
}

async function scriptText(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: at('web/src/verify/page.ts').pathname, formats: ['iife'], name: 'verify' },
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
