import { toHex } from '../ledger/bytes.ts';
import { sha256 } from '../ledger/sha256.ts';
import { catalogVersion, definitions } from './catalog.ts';
import { catalogFile } from './catalog-file.ts';
import type { ControlDefinition } from './control.ts';
import { type FrameworkId, frameworkData, frameworkIds, frameworks } from './crosswalk.ts';
import { MAX_PATTERN_LENGTH, MAX_PATTERNS, type Parameter } from './parameters.ts';
import { reasons } from './reasons.ts';
import { sources } from './sources.ts';

/** The control catalog as a Markdown page for auditors. */
export const writeCatalog = (): string =>
  `${[preface(), ...definitions.map(chapter), sourcesChapter(), reasonsChapter(), crosswalkChapter()].join('\n\n')}\n`;

/** Builds the module with the hash of the catalog for the verifier in Python. */
export const catalogHashModule = (): string =>
  `"""The hash of controls/catalog.json, written with npm run controls."""
VERSION = '${catalogVersion}'
SHA256 = '${catalogHash()}'
`;

const catalogHash = (): string => toHex(sha256(catalogFile()));

const preface = (): string => `# Controls

Version ${catalogVersion} of the catalog. This page is generated from the control definitions with \`npm run controls\`; a test rejects any difference.
Sightline evaluates each control every night for the current quarter and for a quarter that ended less than two weeks ago, and on request, at a signed
checkpoint of the ledger. Data that the ledger did not contain at that checkpoint does not count, so an evaluation at the same checkpoint has the same result.
The SHA-256 of \`controls/catalog.json\` in a bundle of this version is \`${catalogHash()}\`.

A control evaluates every item of its *population* with one function that the server, the command line and the verification page share.
Its input is the data that code hosts, scanners and extensions sent to Sightline and that the ledger contains. It proves what was received
and when, not that a source reported the truth. The ledger is tamper-evident up to its latest anchored checkpoint.

| Verdict | Meaning |
|---|---|
| pass | the rule is met, and all required facts are known |
| fail | *Fail*: the rule is not met, independent of any missing facts |
| waived | *Waived*: the rule is not met, and another person approved a waiver for the whole time. An approval never applies to the time before it |
| missing_evidence | *Missing evidence*: a required fact is missing. An unknown fact never counts as a pass |

| Status | Condition |
|---|---|
| failing | *Failing*: at least one item fails |
| missing_evidence | *Missing evidence*: no item fails, but evidence is missing for an item, the population is incomplete or its total is unknown, or it is empty because settings exclude items that the defaults include |
| not_applicable | *Not applicable*: the population is empty for another reason; this never counts as passing |
| passing | *Passing*: every item passes or is waived |

Parameters apply as of the time of the activity: a stricter rule creates no failures in the past, and a weaker rule hides none.
Times are those of the code host for its activity, in UTC. A person who is only guessed, or whose data is deleted, is not known with certainty.
Items that a parameter excludes from the population are counted by parameter and version of the setting, and bundles list each of them.
In patterns \`*\` matches any characters except a slash, and \`**\` matches any characters. A branch is *in scope* if it is the default
branch or matches a pattern of the parameter.

The seed of a sample cannot be chosen: it is the root of the ledger's checkpoint in base64, the control and the period, joined by
slashes. Items are ordered by the SHA-256 of the seed, a line break and the index of their ledger entry, or their subject if they
have no entry, and the sample takes the requested number of items from the front.`;

const chapter = (it: ControlDefinition): string =>
  [
    `## ${it.id}: ${it.title}`,
    it.rule,
    `**Population.** ${it.population}`,
    [
      '| Verdict | When |',
      '|---|---|',
      ...Object.entries(it.verdicts).map(([name, when]) => `| ${name} | ${when} |`),
    ].join('\n'),
    parametersOf(it),
    `**Data sources.** ${it.sources.map((id) => sources[id].title).join('; ')}.`,
    `**Framework mappings.** ${crosswalkOf(it)}.`,
  ].join('\n\n');

function parametersOf({ parameters }: ControlDefinition): string {
  const rows = Object.entries(parameters).map(
    ([name, it]) => `| \`${name}\` | ${it.title} | ${defaultOf(it)} | ${boundsOf(it)} |`,
  );
  if (rows.length === 0) return 'No parameters.';
  return ['| Parameter | Description | Default | Values |', '|---|---|---|---|', ...rows].join('\n');
}

function defaultOf(it: Parameter): string {
  if (it.kind === 'number') return String(it.default);
  if (it.kind === 'switch') return it.default ? 'yes' : 'no';
  return it.default.map((pattern) => `\`${pattern}\``).join(', ') || 'none';
}

function boundsOf(it: Parameter): string {
  if (it.kind === 'number') return `${it.min} to ${it.max} ${it.unit}`;
  if (it.kind === 'switch') return 'yes or no';
  if (it.kind === 'choices') return `some of ${it.choices.join(', ')}`;
  return `at most ${MAX_PATTERNS} patterns of at most ${MAX_PATTERN_LENGTH} characters`;
}

const crosswalkOf = ({ crosswalk }: ControlDefinition): string =>
  frameworkIds.flatMap((id) => (crosswalk[id] ? [`${frameworks[id]}: ${crosswalk[id].join(', ')}`] : [])).join('; ');

const sourcesChapter = (): string =>
  [
    '## Remedies for missing evidence',
    [
      '| Data source | Remedy |',
      '|---|---|',
      ...Object.values(sources).map((it) => `| ${it.title} | ${it.remedy} |`),
    ].join('\n'),
  ].join('\n\n');

const reasonsChapter = (): string =>
  [
    '## Reasons',
    'Every verdict has reason codes. A code can carry the ID of its subject after a colon.',
    [
      '| Code | Verdict | Meaning |',
      '|---|---|---|',
      ...Object.entries(reasons).map(([code, it]) => `| \`${code}\` | ${it.kind} | ${it.text} |`),
    ].join('\n'),
  ].join('\n\n');

const crosswalkChapter = (): string =>
  [
    '## Framework mappings',
    'A control provides evidence for a requirement and never fulfills it alone. The requirements are those about changes of source code, vulnerabilities, access and logging. Published titles are used where they may be copied, and short names in common use elsewhere.',
    ...frameworkIds.map(frameworkSection),
  ].join('\n\n');

function frameworkSection(framework: FrameworkId): string {
  const { name, source, identifiers, requirements } = frameworkData[framework];
  return [
    `### ${name}`,
    [`Source: ${source}`, ...(identifiers === undefined ? [] : [identifiers])].join('. ').replace(/\.?$/, '.'),
    [
      '| Requirement | Title | Controls | Rationale |',
      '|---|---|---|---|',
      ...requirements.flatMap(([id, title, evidence]) =>
        typeof evidence === 'string'
          ? [`| ${id} | ${title} | no control | ${evidence} |`]
          : evidence.map(([controls, rationale]) => `| ${id} | ${title} | ${controls.join(', ')} | ${rationale} |`),
      ),
    ].join('\n'),
  ].join('\n\n');
}
