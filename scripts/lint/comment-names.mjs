// Rejects comments and documentation that name an identifier which no code contains, such as the former name of a
// function: `npm run lint`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const commented = new Set(['.ts', '.tsx', '.mjs', '.cjs', '.js', '.css', '.sql', '.py', '.go']);
/** Files without checked comments whose words comments may name. */
const named = new Set(['.json', '.yml', '.yaml', '.sh', '.tpl', '.grit', '.toml', '.conf']);
/** Decisions describe the code of their time; the others are generated. */
const excluded = /^docs\/decisions\/|^CHANGELOG\.md$|(?:^|\/)package-lock\.json$/;
/** Names of other programs, and placeholders. */
const allowed = new Set(['aadOptscim062020', 'attStmt', 'onDidCommit', 'usePOSTrequests', 'vVERSION', 'x7Qa']);

const comments = /^\s*(?:\/\/|\/\*|\*|--|#(?!\w)).*$|(?<=[\s;,{}()])\/\/ .*$|\/\*.*?\*\//gm;
const quotes = /`[^`\n]+`/g;
/** Code of a document, which may declare names of its own. */
const fences = /^```[\s\S]*?^```/gm;
const camelCase = /(?<![\w./@#$-])[a-z][a-z0-9]*[A-Z]\w*(?![\w-]|\.\w)/g;

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !excluded.test(file));
const words = new Set(allowed);
const mentions = [];
for (const file of files) {
  const extension = extname(file);
  const isDocument = extension === '.md';
  if (!isDocument && !commented.has(extension) && !named.has(extension)) continue;
  const content = readFileSync(join(root, file), 'utf8');
  const text = isDocument ? content.replace(fences, (block) => block.replace(/[^\n]/g, ' ')) : content;
  const code = commented.has(extension) ? text.replace(comments, '') : text;
  if (!isDocument) for (const [word] of code.matchAll(/[A-Za-z_]\w*/g)) words.add(word);
  if (named.has(extension)) continue;
  for (const { 0: part, index } of text.matchAll(isDocument ? quotes : comments)) {
    for (const match of part.matchAll(camelCase))
      mentions.push({ name: match[0], file, text, at: index + match.index });
  }
}
const unknown = mentions.filter(({ name }) => !words.has(name));
for (const { name, file, text, at } of unknown) {
  console.error(`${file}:${text.slice(0, at).split('\n').length}: no code contains ${name}`);
}
if (unknown.length > 0) process.exitCode = 1;
