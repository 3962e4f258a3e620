// Rejects terms that docs/glossary.md does not allow, in string literals and JSX: `npm run lint`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript5';

const root = join(import.meta.dirname, '..', '..');
const scopes = ['contract/src', 'evidence/src', 'extensions/*/src', 'sandbox/src', 'server/src', 'web/src'];
/** Test helpers, third-party data, and statements that already ran. */
const excluded =
  /\.test\.|\.fixture\.|\/testing\/|\/architecture\/|\/migrations\/|common-passwords|frameworks\/(?:cra|dora|nis2)\.ts$|inventory\.ts$/;

const rejected = [
  [/\b(?:some|any)body\b|(?<!")\bnobody\b|\bwhoever\b/i, 'name the actor'],
  [/\bjudg(?:e|es|ed|ing|ement)\b/i, 'say evaluate'],
  [/\bvouch(?:es|ed|ing)?\b/i, 'say certify, or name the anchor'],
  [
    /\b(?:came|comes) of it\b|\bleft with\b|\bgone on with\b|\bis gone\b|\bare told\b|\bwas told\b/i,
    'use the standard term',
  ],
  [
    /\borganisation|\bcatalogue\b|\bcolour|\bbehaviour|\bcancelled\b|\blicence\b|\bauthoris|\brecognis/i,
    'use American spelling',
  ],
  [/\bauditor rooms?\b|\bexporters?\b(?! = )/i, 'say auditor portal, evidence destination'],
];
/** SQL contains names of tables and columns. */
const statement =
  /\b(?:select|insert into|update|delete from|with \w+ as)\b[\s\S]*\b(?:from|set|values|select)\b|\bas "\w+"|^\w+ as \w$/i;

const files = execFileSync('git', ['ls-files', ...scopes.map((scope) => `${scope}/**`)], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !excluded.test(file));

let found = 0;
for (const file of files) {
  const source = readFileSync(join(root, file), 'utf8');
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const check = (node, text) => {
    if (!/\s/.test(text.trim()) || statement.test(text)) return;
    for (const [word, advice] of rejected) {
      const match = word.exec(text);
      if (!match) continue;
      found += 1;
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      console.error(`${file}:${line + 1}: "${match[0]}": ${advice}`);
    }
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isTemplateExpression(node)) {
      const text = [node.head, ...node.templateSpans.map(({ literal }) => literal)]
        .map(({ text: part }) => part)
        .join('…');
      check(node, text);
      for (const { expression } of node.templateSpans) visit(expression);
      return;
    }
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) check(node, node.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
}
if (found > 0) process.exitCode = 1;
