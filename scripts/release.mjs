// npm run release: the files of a release from a clean checkout, with SBOM, VEX, provenance and checksums. See docs/releases.md.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureExtensionsBuilt } from './build-extensions.mjs';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled, ensurePackages, root } from './install.mjs';
import { npmCommand, outsideEnv } from './npm.mjs';
import { explained, giveUp } from './progress.mjs';
import { findAdvisories } from './release/advisories.ts';
import { writeArchive } from './release/archive.ts';
import { createProvenance, signStatement } from './release/provenance.ts';
import { createSbom } from './release/sbom.ts';
import { sha256File, writeChecksums } from './release/sha256.ts';
import { createVex } from './release/vex.ts';

const usage =
  'npm run release -- --out FOLDER --repository URL --builder URI (--key FILE | --unsigned) [--without-audit]';

try {
  await release(readArguments());
} catch (error) {
  giveUp(error);
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      repository: { type: 'string' },
      builder: { type: 'string' },
      key: { type: 'string' },
      unsigned: { type: 'boolean', default: false },
      'without-audit': { type: 'boolean', default: false },
    },
  });
  const { out, repository, builder, key, unsigned } = values;
  const isComplete = out !== undefined && repository !== undefined && builder !== undefined;
  if (!isComplete || (key !== undefined) === unsigned) throw explained(usage);
  return { out: resolve(out), repository, builder, key, asksRegistry: !values['without-audit'] };
}

async function release({ out, repository, builder, key, asksRegistry }) {
  const startedAt = new Date();
  if (git('status', '--porcelain') !== '') {
    throw explained('A release is made of a commit: commit or remove what `git status` lists.');
  }
  const commit = git('rev-parse', 'HEAD');
  const committedAt = new Date(git('show', '--no-patch', '--format=%cI', 'HEAD'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

  const node = await ensureInstalled();
  const tools = join(root, 'scripts', 'release');
  await ensurePackages(tools, { doing: 'installing what releases are made with', done: 'packages installed' });
  await ensureWebBuilt(node);
  await ensureExtensionsBuilt(node);

  mkdirSync(out, { recursive: true });
  if (readdirSync(out).length > 0) throw explained(`${out} is not empty.`);
  const name = `sightline-${version}`;
  writeArchive({
    root,
    commit,
    prefix: name,
    built: ['web/dist', 'extensions/dist'],
    file: join(out, `${name}.tar.gz`),
  });
  const packages = readdirSync(join(root, 'extensions', 'dist')).filter((file) => !file.startsWith('.'));
  for (const file of packages) cpSync(join(root, 'extensions', 'dist', file), join(out, file));

  const lockFiles = [
    { folder: root, file: `${name}.cdx.json` },
    { folder: join(root, 'extensions'), file: `sightline-extensions-${version}.cdx.json` },
  ];
  const sboms = lockFiles.map(({ folder, file }) => {
    const sbom = createSbom({ tools, folder, version, createdAt: committedAt });
    writeJson(join(out, file), sbom);
    return sbom;
  });
  const assessments = JSON.parse(readFileSync(join(tools, 'assessments.json'), 'utf8'));
  const advisories = asksRegistry
    ? lockFiles.flatMap(({ folder }) => findAdvisories({ folder, npm, env: outsideEnv(root) }))
    : undefined;
  writeJson(join(out, `${name}.vex.cdx.json`), createVex({ sboms, assessments, advisories, createdAt: committedAt }));

  const statement = createProvenance({
    ...{ repository, builder, commit, startedAt, finishedAt: new Date(), nodeVersion: process.version },
    subjects: readdirSync(out).map((file) => ({ name: file, sha256: sha256File(join(out, file)) })),
    lockFiles: ['package-lock.json', 'extensions/package-lock.json', 'scripts/release/package-lock.json'].map(
      (file) => ({ name: file, sha256: sha256File(join(root, file)) }),
    ),
  });
  if (key === undefined) writeJson(join(out, `${name}.provenance.json`), statement);
  else writeJson(join(out, `${name}.intoto.jsonl`), signStatement(statement, readFileSync(key)), 0);
  writeChecksums(out);
  console.log(`  ✓ ${readdirSync(out).length} files of Sightline ${version} at ${commit.slice(0, 12)} in ${out}`);
  if (advisories === undefined) console.log('  ! The registry was not asked for advisories.');
  if (key === undefined) console.log('  ! The provenance is not signed.');
}

function npm(args) {
  return npmCommand(args, root);
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

function writeJson(file, value, indent = 2) {
  writeFileSync(file, `${JSON.stringify(value, undefined, indent)}\n`);
}
