// npm run release: creates the files of a release from a clean checkout, with SBOM, VEX, provenance and checksums. See
// docs/releases.md.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureExtensionsBuilt } from './build-extensions.mjs';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled, ensurePackages, releasedStamp, root } from './install.mjs';
import { npmCommand, outsideEnv } from './npm.mjs';
import { explained, giveUp } from './progress.mjs';
import { findAdvisories } from './release/advisories.ts';
import { writeSourceArchive } from './release/archive.ts';
import { writeImages } from './release/images.ts';
import { writeOfflineArchive } from './release/offline.ts';
import { createProvenance, signStatement } from './release/provenance.ts';
import { createSbom } from './release/sbom.ts';
import { sha256File, writeChecksums } from './release/sha256.ts';
import { writeVectorArchive } from './release/vectors.ts';
import { createVex } from './release/vex.ts';

const tools = join(root, 'scripts', 'release');
const usage =
  'npm run release -- --out FOLDER --repository URL --builder URI (--key FILE | --unsigned) [--images docker|podman [--build-arg NAME=VALUE]…] [--without-audit] [--untagged]';

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
      images: { type: 'string' },
      'build-arg': { type: 'string', multiple: true, default: [] },
      'without-audit': { type: 'boolean', default: false },
      untagged: { type: 'boolean', default: false },
    },
  });
  const { out, repository, builder, key, unsigned } = values;
  const isComplete = out !== undefined && repository !== undefined && builder !== undefined;
  if (!isComplete || (key !== undefined) === unsigned) throw explained(usage);
  return {
    out: resolve(out),
    repository,
    builder,
    key,
    images: values.images && { program: values.images, buildArgs: values['build-arg'] },
    asksRegistry: !values['without-audit'],
    isTagged: !values.untagged,
  };
}

async function release(options) {
  const { out } = options;
  if (git('status', '--porcelain') !== '') {
    throw explained('A release is made of a commit: commit or remove what `git status` lists.');
  }
  if (existsSync(out) && readdirSync(out).length > 0) throw explained(`${out} is not empty.`);
  checkVersion(options);
  const startedAt = new Date();
  const node = await ensureInstalled();
  await ensurePackages(tools, { doing: 'installing packages for releases', done: 'packages for releases installed' });
  await ensureWebBuilt(node);
  await ensureExtensionsBuilt(node);
  mkdirSync(dirname(out), { recursive: true });
  // The folder is renamed at the end, so that a failed release leaves nothing that looks like one.
  const folder = mkdtempSync(`${out}-unfinished-`);
  try {
    writeRelease(folder, startedAt, options);
    renameSync(folder, out);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`  ✓ ${readdirSync(out).length} files in ${out}`);
  if (!options.asksRegistry) console.log('  ! The npm registry was not asked for advisories.');
  if (options.key === undefined) console.log('  ! The provenance is not signed.');
}

/** Verifies that a version is released once: it has a tag of its name and an entry in the changelog. */
function checkVersion({ isTagged }) {
  const { version } = readJson(join(root, 'package.json'));
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  if (!changelog.split('\n').includes(`## ${version}`)) throw explained(`CHANGELOG.md has no section "## ${version}".`);
  const tags = git('tag', '--points-at', 'HEAD').split('\n');
  if (isTagged && !tags.includes(`v${version}`)) {
    throw explained(`This commit has no tag v${version}: git tag --sign v${version}, or --untagged for a trial.`);
  }
}

/** Writes every file of the release into `folder`. Files that describe others are written after them. */
function writeRelease(folder, startedAt, { repository, builder, key, images, asksRegistry }) {
  const commit = git('rev-parse', 'HEAD');
  const createdAt = new Date(git('show', '--no-patch', '--format=%cI', 'HEAD'));
  const { version } = readJson(join(root, 'package.json'));
  const name = `sightline-${version}`;
  const extensions = join(root, 'extensions', 'dist');

  const built = ['web/dist', 'server/dist', 'extensions/dist'];
  const archive = join(folder, `${name}.tar.gz`);
  const platform = `${process.platform}-${process.arch}`;
  const npm = (args) => npmCommand(args, root);
  const env = outsideEnv(root);
  writeSourceArchive({ root, commit, prefix: name, built, stamp: releasedStamp, file: archive });
  const offline = join(folder, `${name}-${platform}.tar.gz`);
  writeOfflineArchive({ release: archive, prefix: name, createdAt, npm, env, file: offline });
  if (images) writeImages({ ...images, root, version, file: join(folder, `${name}-images-${platform}.tar`) });
  const vectors = `${name}-format-vectors`;
  writeVectorArchive({ root, prefix: vectors, createdAt, file: join(folder, `${vectors}.tar.gz`) });
  const packages = readdirSync(extensions).filter((file) => !file.startsWith('.'));
  for (const file of packages) cpSync(join(extensions, file), join(folder, file));

  const sources = [
    { folder: root, file: `${name}.cdx.json` },
    { folder: join(root, 'extensions'), file: `sightline-extensions-${version}.cdx.json` },
  ];
  const sboms = sources.map((source) => {
    const sbom = createSbom({ tools, folder: source.folder, version, createdAt });
    writeJson(join(folder, source.file), sbom);
    return sbom;
  });
  const advisories = asksRegistry
    ? sources.flatMap((source) => findAdvisories({ folder: source.folder, npm, env }))
    : undefined;
  const assessments = readJson(join(tools, 'assessments.json'));
  writeJson(join(folder, `${name}.vex.cdx.json`), createVex({ sboms, assessments, advisories, createdAt }));

  const statement = createProvenance({
    repository,
    builder,
    commit,
    startedAt,
    finishedAt: new Date(),
    nodeVersion: process.version,
    subjects: readdirSync(folder).map((file) => ({ name: file, sha256: sha256File(join(folder, file)) })),
    lockFiles: ['.', 'extensions', 'scripts/release']
      .map((place) => join(place, 'package-lock.json'))
      .map((file) => ({ name: file, sha256: sha256File(join(root, file)) })),
  });
  if (key === undefined) writeJson(join(folder, `${name}.provenance.json`), statement);
  else writeJson(join(folder, `${name}.intoto.jsonl`), signStatement(statement, readFileSync(key)), 0);
  writeChecksums(folder);
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeJson(file, value, indent = 2) {
  writeFileSync(file, `${JSON.stringify(value, undefined, indent)}\n`);
}
