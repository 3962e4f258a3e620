import { catalogueVersion, definitions } from './catalogue.ts';
import type { ControlDefinition } from './control.ts';
import { type FrameworkId, frameworks, requirements } from './crosswalk.ts';
import { longestPattern, mostPatterns, type Parameter } from './parameters.ts';
import { sources } from './sources.ts';
import { reasons } from './words.ts';

/** The catalogue as a page of Markdown, for auditors. */
export const writeCatalogue = (): string =>
  `${[preface(), ...definitions.map(chapter), sourcesChapter(), reasonsChapter(), crosswalkChapter()].join('\n\n')}\n`;

const preface = (): string => `# Controls

Version ${catalogueVersion} of the catalogue. This page is written from what judges: \`npm run controls\` makes it, and a test refuses another one.
Each is judged every night for the quarter that runs and for one that ended less than two weeks ago, and when somebody asks, as of a signed checkpoint of
the ledger. What the ledger did not hold then does not count, so that judging again as of the same checkpoint gives the same.

A control judges every row of its *population*, one by one, with one function that the server, the command line and the verifier's page
share. What it sees is what code hosts, scanners and extensions told Sightline and the ledger holds: it proves what was received and when,
not that a source told the truth. The ledger is tamper-evident, as far as a checkpoint of it was anchored outside.

| Verdict | Means |
|---|---|
| pass | the rule was kept, and every fact that is needed to say so is known |
| exception | the rule was broken, whatever facts that are missing would say |
| excepted | it was broken, and somebody other than who asked had approved that, for all of the time. An approval never counts for the time before it |
| gap | a fact that is needed is missing. Nothing that is not known is read as a pass |

| Status | When |
|---|---|
| not met | there is an exception |
| gap | there is none, but a gap, or rows are missing from the population, or nobody could count how many there should be |
| no population | there was nothing to judge; this is never "met" |
| met | every row passes or is excepted |

What can be set is judged by as it was when the thing happened: a rule that is tightened makes no exception of the past, and one that is
loosened hides none. Times are those of the code host for what happened there, in UTC. A person who is only guessed, or erased, is not known
for certain. In patterns \`*\` stands for any characters but a slash, and \`**\` for any at all. A branch is *in scope* that is the default
branch or fits a pattern of the setting.

A sample is drawn by a seed that nobody can choose: the root of the ledger's checkpoint in base64, the control and the period, joined by
slashes. Rows are ordered by the SHA-256 of the seed, a line break and the index of their entry in the ledger, or their subject where they
have no entry of their own, and as many as wanted are taken from the front.`;

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
    `**Needs.** ${it.sources.map((id) => sources[id].title).join('; ')}.`,
    `**Crosswalk.** ${crosswalkOf(it)}.`,
  ].join('\n\n');

function parametersOf({ parameters }: ControlDefinition): string {
  const rows = Object.entries(parameters).map(
    ([name, it]) => `| \`${name}\` | ${it.title} | ${defaultOf(it)} | ${boundsOf(it)} |`,
  );
  if (rows.length === 0) return 'Nothing can be set.';
  return ['| Parameter | Is | Default | Can be |', '|---|---|---|---|', ...rows].join('\n');
}

function defaultOf(it: Parameter): string {
  if (it.kind === 'number') return String(it.default);
  if (it.kind === 'switch') return it.default ? 'yes' : 'no';
  return it.default.join(', ') || 'none';
}

function boundsOf(it: Parameter): string {
  if (it.kind === 'number') return `${it.min} to ${it.max} ${it.unit}`;
  if (it.kind === 'switch') return 'yes or no';
  if (it.kind === 'choices') return `some of ${it.choices.join(', ')}`;
  return `at most ${mostPatterns} patterns of at most ${longestPattern} characters`;
}

const frameworkIds = Object.keys(frameworks) as FrameworkId[];

const crosswalkOf = ({ crosswalk }: ControlDefinition): string =>
  frameworkIds.flatMap((id) => (crosswalk[id] ? [`${frameworks[id]}: ${crosswalk[id].join(', ')}`] : [])).join('; ');

const sourcesChapter = (): string =>
  [
    '## What closes a gap',
    [
      '| Facts | Closed by |',
      '|---|---|',
      ...Object.values(sources).map((it) => `| ${it.title} | ${it.closedBy} |`),
    ].join('\n'),
  ].join('\n\n');

const reasonsChapter = (): string =>
  [
    '## Reasons',
    'Every verdict names its reasons by these codes; one may carry the id of what it is about after a colon.',
    [
      '| Code | Of | Says |',
      '|---|---|---|',
      ...Object.entries(reasons).map(([code, it]) => `| \`${code}\` | ${it.kind} | ${it.says} |`),
    ].join('\n'),
  ].join('\n\n');

const crosswalkChapter = (): string =>
  [
    '## Crosswalk',
    'The identifiers are those of the standards; the titles are our own and stand for no text of theirs. A control gives evidence for a requirement and never fulfils it alone. The identifiers have not yet been compared with the official lists.',
    [
      '| Standard | Requirement | Our title | Controls |',
      '|---|---|---|---|',
      ...frameworkIds.flatMap((id) =>
        Object.entries(requirements[id]).map(
          ([requirement, title]) =>
            `| ${frameworks[id]} | ${requirement} | ${title} | ${controlsFor(id, requirement)} |`,
        ),
      ),
    ].join('\n'),
  ].join('\n\n');

const controlsFor = (framework: FrameworkId, requirement: string): string =>
  definitions
    .filter(({ crosswalk }) => (crosswalk[framework] as readonly string[] | undefined)?.includes(requirement))
    .map(({ id }) => id)
    .join(', ');
