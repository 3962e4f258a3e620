import type { ControlId } from '../../controls/catalog.ts';
import type { ChangeRow, MergeRow, NamedTicket, ProtectionRow, Review, TicketRow } from '../../controls/change-rows.ts';
import { type Completeness, independentCount, withoutIndependentCount } from '../../controls/completeness.ts';
import { exclusionsOf } from '../../controls/exclusions.ts';
import type { FreshnessRow, PopulationRow, ToolUseRow } from '../../controls/rows.ts';
import type { SettingVersion } from '../../controls/run.ts';
import {
  agentChange,
  change,
  checks,
  hourlySnapshots,
  merge,
  protection,
  review,
  ticket,
} from '../../controls/testing/change-variants.ts';
import { completeFact, human, missingFact } from '../../controls/testing/facts.ts';
import { freshness, passingRowOf, toolUse } from '../../controls/testing/variants.ts';
import { type Bytes, concat, toBase64, toHex, utf8 } from '../../ledger/bytes.ts';
import type { CanonicalValue } from '../../ledger/canonical.ts';
import { censusKind, censusSubject, createCensusCounter } from '../../ledger/census.ts';
import { signCheckpoint } from '../../ledger/checkpoint.ts';
import { commitmentOf, disclosureOf, entryText, parseEntry } from '../../ledger/entry.ts';
import { publicKeyOf, signerOf, signNote, type Verifier, verifierOf, verifierText } from '../../ledger/note.ts';
import { consistencyProof, inclusionProof } from '../../ledger/proofs.ts';
import { sha256 } from '../../ledger/sha256.ts';
import { logInMemory } from '../../ledger/testing/log.ts';
import { rootAt } from '../../ledger/tiles.ts';
import { leafHash } from '../../ledger/tree.ts';
import { accountField, accountsIn } from '../accounts.ts';
import { buildBundle } from '../build.ts';
import { changeKind } from '../change-entries.ts';
import { changeLinksIn } from '../change-links.ts';
import { codeHostsOf } from '../code-hosts.ts';
import type { RowNotes } from '../derived-files.ts';
import { disclosuresByPerson, type OpenedDisclosure, openPlaced } from '../disclosed.ts';
import { disclosureKeyFile } from '../disclosure-key.ts';
import { evaluateRows, runFactsOf } from '../evaluated-rows.ts';
import { namesOfContents } from '../files.ts';
import { completeKinds } from '../kinds.ts';
import { namedIdOf, nameField, namesIn } from '../names.ts';
import type { PackedRun } from '../packed-run.ts';
import { recordsIn, recordsKind, recordsSubject, type SealedFiles, sealIn } from '../records.ts';
import { remediationsIn, remediationTextsOf } from '../remediations.ts';
import type { ReportContents } from '../report.ts';
import { reportOfControl } from '../report-control.ts';
import { enabledKind } from '../repositories.ts';
import { hashOf, runKind, runSubject } from '../run-entry.ts';
import { packRun } from '../run-summary.ts';
import type {
  Anchor,
  BundleContents,
  BundleRun,
  BundleScope,
  PlacedDigest,
  PlacedDisclosure,
  PlacedEntry,
  PlacedParts,
} from '../scope.ts';
import { weakeningsIn } from '../weakenings.ts';
import { otherPopulations, pickFields } from './other-populations.ts';
import { appendRecords, pause, type RepositoryNames } from './recorded.ts';

export const org = { id: 'org_1', name: 'Acme' };
export const origin = 'sightline.example/org/org_1/1';
export const secretKey = new Uint8Array(32).fill(7);
export const key: Verifier = verifierOf(origin, publicKeyOf(secretKey));
export const vkey = verifierText(key);
export const sign = (text: string): string => signNote(text, signerOf(origin, secretKey));
export const period = { from: '2026-07-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' };
/** The persons of the changes with their accounts and keys. */
const persons = [
  ['per_author', '583231', new Uint8Array(32).fill(9), 'Ada Author'],
  ['per_reviewer', '7342', new Uint8Array(32).fill(10), 'Rita Reviewer'],
] as const;
const [[author, , authorKey]] = persons;
const repositoryKey = new Uint8Array(32).fill(11);

/** A test ledger with the changes of a quarter, some of them violations. It grows like the ledger of the server. */
export function createTestLedger() {
  const log = logInMemory();
  const texts: string[] = [];
  const disclosures: PlacedDisclosure[] = [];
  const parts: PlacedParts[] = [];
  const digests: PlacedDigest[] = [];
  let [censusFrom, clock] = [0, Date.parse('2026-06-30T22:00:00.000Z')];
  let kinds = createCensusCounter();

  const append = (
    kind: string,
    subject: { readonly [key: string]: CanonicalValue },
    {
      personal,
      at: given,
      person,
      names = [],
    }: { personal?: string; at?: string; person?: string; names?: RepositoryNames } = {},
  ): number => {
    clock += 60_000;
    const index = texts.length;
    const at = given ?? new Date(clock).toISOString();
    const accounts = kind === changeKind ? persons : [];
    const disclosed = (field: string, value: string, key: Bytes) => disclosureOf(`entry-${index}`, field, value, key);
    const opened = [
      ...(personal === undefined ? [] : [disclosed('title', personal, authorKey)]),
      ...accounts.map(([id, account, key]) => disclosed(accountField(id), account, key)),
      ...names.map(([id, name]) => disclosed(nameField(id), name, repositoryKey)),
      ...(kind === recordsKind ? persons.map(([id, , key, name]) => disclosed(nameField(id), name, key)) : []),
    ];
    const text = entryText({
      commitments: opened.map(commitmentOf).toSorted(),
      asOf: at,
      receivedAt: at,
      id: `entry-${index}`,
      kind,
      org: org.id,
      person: personal === undefined ? (person ?? null) : author,
      source: kind === changeKind ? 'github' : 'test',
      subject,
    });
    for (const disclosure of opened) disclosures.push({ index, disclosure });
    texts.push(text);
    log.append([text]);
    kinds.add(kind, leafHash(text));
    return index;
  };
  const census = (): void => {
    const counted = kinds.census(censusFrom, texts.length);
    append(censusKind, censusSubject(counted));
    censusFrom = texts.length;
    kinds = createCensusCounter();
  };
  const tree = async (size = texts.length) => ({ size, root: toBase64(await rootAt(log.read, size)) });
  const checkpoint = async (size = texts.length) =>
    signCheckpoint({ size, root: await rootAt(log.read, size) }, signerOf(origin, secretKey));
  const parsedEntries = () => texts.map((text, index) => ({ ...parseEntry(text), index }));
  return { parsedEntries, log, texts, disclosures, parts, digests, append, census, tree, checkpoint };
}
export type TestLedger = ReturnType<typeof createTestLedger>;

/**
 * Appends records and changes derived from rows, and returns the rows. `more`: fields of the subject of a change instead
 * of the usual ones.
 */
export function appendChanges(
  into: TestLedger,
  count: number,
  from = 0,
  more: (number: number) => { readonly [key: string]: CanonicalValue } = () => ({}),
): MergeRow[] {
  if (from === 0) into.digests.push(...appendRecords(into.append, String(passingRowOf(merge).repository)));
  return Array.from({ length: count }, (_each, index) => {
    const number = from + index;
    const merged = Date.parse(period.from) + number * 1_000_000 + 43_200_000;
    const [mergedAt, approvedAt, pushedAt] = [0, 1, 2].map((hours) =>
      new Date(merged - hours * 3_600_000).toISOString(),
    );
    const approval = { ...review, submittedAt: approvedAt ?? '' };
    const made = {
      ...passingRowOf(agentChange),
      ...passingRowOf(checks),
      ...passingRowOf(merge),
      ...passingRowOf(ticket),
      lastPushAt: completeFact(pushedAt ?? ''),
      reviews: completeFact([approval]),
      ...variantOf(number, approval),
      mergedAt: mergedAt ?? '',
    } as MergeRow & TicketRow;
    const { repository, branch, isDefaultBranch, mergeMethod } = made;
    const parts = partsOf(made);
    const leaf = into.append(
      changeKind,
      {
        change: `change_${number}`,
        version: 1,
        repository,
        branch,
        isDefaultBranch,
        mergedAt: made.mergedAt,
        mergeMethod: mergeMethod.state === 'missing' ? 'unknown' : mergeMethod.value,
        mergeSha: null,
        number,
        push: null,
        origin: { host: 'github.com', connection: 'entry-of-connection', repository: '4711' },
        parts: hashOf(parts),
        headSha: made.headSha.state === 'missing' ? null : made.headSha.value,
        missing: [],
        protection: null,
        ...more(number),
      },
      { personal: `Title ${number}` },
    );
    into.parts.push({ index: leaf, parts });
    if (number % 5 === 0) into.append('audit.member.left', { number });
    if (number % 24 === 23) into.census();
    return { ...made, subject: `change:change_${number}`, leaf, leaves: [leaf] };
  });
}

/** The parts of a change, as the server records them. */
const partsOf = (made: object): PlacedParts['parts'] => {
  const { attributions, ...named } = made as { readonly attributions: CanonicalValue };
  const recorded = Object.entries(named).filter(([name]) => !unrecorded.includes(name));
  return { ...Object.fromEntries(recorded), namedTickets, ai: attributions } as unknown as PlacedParts['parts'];
};
const namedTickets = completeFact<readonly NamedTicket[]>([
  {
    key: 'PAY-1',
    tracker: 'linear',
    state: 'resolved',
    id: '10001',
    type: 'Bug',
    status: completeFact('In Progress'),
    assignee: completeFact(human('per_author')),
  },
  {
    key: 'PAY-404',
    tracker: null,
    state: 'not_found',
    id: null,
    type: null,
    status: missingFact,
    assignee: completeFact(null),
  },
]);
const unrecorded = [
  'subject',
  'leaf',
  'leaves',
  'waivers',
  'repository',
  'branch',
  'isDefaultBranch',
  'mergedAt',
  'mergeMethod',
  'requiredApps',
  'disabledChecks',
];

/** Most changes pass. Every seventh has no approval, every eleventh has unknown reviews, every ninth is exempt from CHG-06. */
function variantOf(number: number, approval: Review): Partial<ChangeRow & TicketRow> {
  if (number % 9 === 4) return { sourceBranch: completeFact('bot/update') };
  if (number % 7 === 3) return { reviews: completeFact([]) };
  if (number % 11 === 5) return { reviews: missingFact };
  if (number % 13 === 6) return { reviews: completeFact([{ ...approval, by: human('per_author') }]) };
  return {};
}

const exempting: SettingVersion<unknown> = {
  version: 1,
  from: '2026-06-01T00:00:00.000Z',
  until: null,
  repositories: null,
  setting: { branches: [], exemptBranches: ['bot/*'], exemptLabels: [] },
};

/** When the checkpoint of a test bundle was signed: six days and a week of the period are over. */
const evaluatedAt = '2026-07-07T12:00:00.000Z';

/** The days of the enabled repository, one of them with a pause. */
function protectionRows(leaf: number, { repositories }: Pick<BundleScope, 'repositories'>): ProtectionRow[] {
  const row = passingRowOf(protection);
  if (leaf === 0 || (repositories !== null && !repositories.includes(String(row.repository)))) return [];
  return [1, 2, 3, 4, 5, 6].map((number) => {
    const day = `2026-07-0${number}`;
    return {
      ...row,
      subject: `branch:${row.repository}:${day}:main`,
      leaf: null,
      leaves: [leaf],
      day,
      until: `2026-07-0${number + 1}T00:00:00.000Z`,
      disabled: pause.from.startsWith(day) ? [pause] : [],
      snapshots: completeFact(hourlySnapshots(day)),
    };
  });
}

/** The week of the enabled repository. */
function freshnessRows(days: readonly ProtectionRow[], enabledAt: string): FreshnessRow[] {
  return days.slice(0, 1).map(({ repository, leaves }) => ({
    ...passingRowOf(freshness),
    subject: `repository:${repository}:2026-06-29`,
    repository,
    leaf: null,
    leaves,
    weekStart: '2026-06-29T00:00:00.000Z',
    weekEnd: '2026-07-06T00:00:00.000Z',
    enabledAt,
    disabled: [pause],
    scans: completeFact([]),
  }));
}

const completeSources: readonly Completeness[] = [
  independentCount('pushes', { expected: 1, found: 1 }),
  withoutIndependentCount('findings', 1),
];

export interface TestBundle {
  contents: Unpacked;
  bundle: Bytes;
}

export interface TestBundleOptions
  extends Partial<Pick<BundleScope, 'redaction' | 'repositories' | 'name' | 'supersedes'>> {
  /** By default six of the catalog. */
  controls?: readonly ControlId[];
  completeness?: readonly Completeness[];
  earlier?: readonly number[];
  /** Rows of controls instead of the usual ones. */
  populations?: Readonly<Record<string, readonly PopulationRow[]>>;
  settings?: readonly SettingVersion<unknown>[];
  /** Draws the PDF; by default a text in its place. */
  drawPdf?: (report: ReportContents) => Promise<Bytes | undefined>;
  anchors?: readonly Anchor[];
  /** Start of the counted range. */
  from?: number;
  /** The operator hides excluded rows when the controls are evaluated. */
  hidesExcluded?: true;
  /** The operator hides a day of a repository when the controls are evaluated. */
  hidesDay?: true;
}

const scopeOf = ({ name, repositories, redaction, supersedes, controls }: TestBundleOptions): BundleScope => ({
  org,
  name: name ?? 'Quarter 3',
  period,
  repositories: repositories ?? null,
  redaction: redaction ?? 'none',
  controls: controls ?? ['CHG-01', 'CHG-03', 'CHG-04', 'CHG-06', 'SCN-02', 'TOL-01'],
  supersedes: supersedes ?? null,
});

/** Evaluates the entries and builds a bundle, as a snapshot does. */
export async function buildTestBundle(
  into: TestLedger,
  rows: readonly MergeRow[],
  options: TestBundleOptions = {},
): Promise<TestBundle> {
  into.census();
  const evaluated = await into.tree();
  const scope = scopeOf(options);
  const days = protectionRows(rows[0]?.leaf ?? 0, scope);
  const enabledAt = into.parsedEntries().find(({ kind }) => kind === enabledKind)?.asOf ?? '';
  const populations: Record<string, readonly PopulationRow[]> = {
    ...otherPopulations(rows),
    'CHG-01': rows.map((row) => pickFields(row, change)),
    'CHG-03': rows.map((row) => pickFields(row, merge)),
    'CHG-04': options.hidesDay ? days.slice(1) : days,
    'CHG-06': rows.map((row) => pickFields(row, ticket)),
    'SCN-02': freshnessRows(days, enabledAt),
    'TOL-01': [0, 1, 2].map(
      (number): ToolUseRow => ({
        ...passingRowOf(toolUse),
        subject: `tool_${number}`,
        leaf: null,
        leaves: [rows[0]?.leaf ?? 0],
      }),
    ),
  };
  const { completeness = completeSources } = options;
  const runs: BundleRun[] = [];
  for (const control of scope.controls) {
    const settings = control === 'TOL-01' ? [] : (options.settings ?? (control === 'CHG-06' ? [exempting] : []));
    const {
      run,
      rows: lines,
      ...rest
    } = evaluateRows(
      control as ControlId,
      (options.populations ?? populations)[control] ?? populations[control] ?? [],
      settings,
      completeness,
    );
    const excluded = options.hidesExcluded ? [] : rest.excluded;
    const weakenings = weakeningsIn(into.parsedEntries(), evaluated.size, scope.period, control);
    const made = { control, settings, completeness, rows: lines, excluded, weakenings };
    const result = { ...run, exclusions: exclusionsOf(excluded) };
    const leaf = into.append(runKind, runSubject(runFactsOf(scope, { epoch: 1, ...evaluated }, made, result)), {
      at: evaluatedAt,
    });
    runs.push({ ...made, leaf });
  }
  const records = recordsIn(into.parsedEntries(), evaluated.size, scope);
  const { from = 0, anchors = [], drawPdf = () => Promise.resolve(utf8('%PDF-1.7 of a test')) } = options;
  const counted = { scope, evaluated, population: { from, to: evaluated.size }, anchors, runs };
  const report = await drawPdf(
    reportContentsOf(
      counted,
      into.texts.map((entry, index) => ({ index, entry })),
      namesOfLedger(into, evaluated.size).repositories,
    ),
  );
  const sealed = sealedOf(into, { scope, evaluated: { epoch: 1, ...evaluated }, anchors }, report);
  const { disclosed } = sealed;
  const seal = into.append(recordsKind, recordsSubject(records, sealed));
  into.census();
  const disclosures = disclosuresFor(into, scope, { size: evaluated.size, seal });
  const contents: Unpacked = {
    scope,
    ledger: { origin, epoch: 1, size: into.texts.length },
    checkpoint: await into.checkpoint(),
    evaluated,
    population: { from, to: into.texts.length - 1 },
    codeHosts: codeHostsOf(into.parsedEntries(), evaluated.size, scope),
    people: accountsIn(into.parsedEntries(), openedOf(into, disclosures), evaluated.size, scope),
    entries: await entriesOf(into, runs, from, records.leaves),
    disclosures,
    disclosed,
    parts: [...into.parts],
    digests: scope.repositories === null ? [...into.digests] : [],
    earlier: await Promise.all(
      [...new Set([...(options.earlier ?? []), evaluated.size])]
        .toSorted((one, other) => one - other)
        .map((size) => earlierOf(into, size)),
    ),
    anchors,
    runs,
    vkey,
    report: scope.redaction === 'all' ? undefined : report,
  };
  return { contents, bundle: await bytesOf(contents) };
}

function sealedOf(
  into: TestLedger,
  about: Pick<SealedFiles, 'scope' | 'evaluated' | 'anchors'>,
  report: Bytes | undefined,
): SealedFiles {
  return {
    ...about,
    disclosed: disclosuresByPerson(
      openedOf(
        into,
        into.disclosures.filter(({ index }) => index < about.evaluated.size),
      ),
    ),
    reportSha256: report ? toHex(sha256(report)) : null,
  };
}

/** Opens the disclosures of a ledger's entries. */
export const openedOf = (into: TestLedger, disclosures: readonly PlacedDisclosure[]): OpenedDisclosure[] => {
  const parsedEntries = into.parsedEntries();
  return disclosures.map((one) => openPlaced(parsedEntries[one.index], one));
};

/** The disclosures of a bundle with the redaction of its scope. */
function disclosuresFor(
  into: TestLedger,
  { redaction, repositories }: Pick<BundleScope, 'redaction' | 'repositories'>,
  { size, seal }: { size: number; seal: number },
): PlacedDisclosure[] {
  const opened = openedOf(into, into.disclosures);
  return into.disclosures.filter(({ index }, place) => {
    const { person = null, field = '' } = opened[place] ?? {};
    const id = namedIdOf(field);
    if (person === null)
      return redaction !== 'all' && index < size && (repositories === null || repositories.includes(id ?? ''));
    if (id !== undefined) return redaction === 'none' && index === seal;
    return index < size && (redaction === 'none' || redaction === 'names');
  });
}

/** The key that opens what a bundle redacts. */
export function disclosureKeyOf(into: TestLedger, { scope, evaluated }: Unpacked): string {
  const seal = sealIn(into.parsedEntries(), scope);
  const disclosures = disclosuresFor(
    into,
    { ...scope, redaction: 'none' },
    { size: evaluated.size, seal: seal?.index ?? 0 },
  );
  return disclosureKeyFile({ origin, snapshot: seal?.id ?? '', disclosures });
}

const namesOfLedger = (into: TestLedger, size: number) =>
  namesIn(into.parsedEntries(), openedOf(into, into.disclosures), size);

/** The pull requests of the changes of a bundle, and the remediations of its rows. */
export const notesOf = (
  { scope, evaluated, population }: Pick<Unpacked, 'scope' | 'evaluated' | 'population'>,
  entries: ReportContents['entries'],
  names: ReadonlyMap<string, string>,
): RowNotes => {
  const parsed = entries.flatMap(({ index, entry }) => maybeEntry(index, entry));
  return {
    links: changeLinksIn(parsed, { from: population.from, size: evaluated.size }, names),
    remediations: remediationTextsOf(remediationsIn(parsed, evaluated.size, scope), scope.period),
  };
};

/** No entry, if an attack destroyed it. */
function maybeEntry(index: number, text: string) {
  try {
    return [{ ...parseEntry(text), index }];
  } catch {
    return [];
  }
}

/** What the report of a bundle shows. */
export function reportContentsOf(
  contents: Pick<Unpacked, 'scope' | 'evaluated' | 'population' | 'anchors' | 'runs'>,
  entries: ReportContents['entries'],
  names: ReadonlyMap<string, string>,
): ReportContents {
  const notes = notesOf(contents, entries, names);
  return {
    ...contents,
    origin,
    evaluatedAt,
    entries,
    names,
    controls: contents.runs.map(({ control: id, rows, excluded, settings, completeness, weakenings }) => {
      const all = [...rows, ...excluded].map(({ row }) => row);
      const { run } = evaluateRows(id, all, settings, completeness);
      return reportOfControl({ id, rows, run, settings, weakenings }, { ...contents, ...notes });
    }),
  };
}

export async function bytesOf(contents: Unpacked): Promise<Bytes> {
  const pieces: Bytes[] = [];
  await buildBundle(await packedContents(contents), sign, (piece) => void pieces.push(piece));
  return concat(...pieces);
}

/** Contents with unpacked rows, for modification. */
export type Unpacked = Omit<BundleContents, 'runs'> & { readonly runs: readonly BundleRun[] };

/** The contents after the data of a person was deleted. */
export const withoutPerson = (contents: Unpacked, person: string): Unpacked => ({
  ...contents,
  people: contents.people.filter((one) => one.person !== person),
  disclosures: contents.disclosures.filter((one) => {
    const entry = contents.entries.find(({ index }) => index === one.index);
    return entry && openPlaced(parseEntry(entry.entry), one).person !== person;
  }),
});

export async function packedContents(contents: Unpacked): Promise<BundleContents> {
  const runs: PackedRun[] = [];
  const notes = notesOf(contents, contents.entries, namesOfContents(contents).repositories);
  for (const run of contents.runs) runs.push(await packRun(run, { ...contents, ...notes }));
  return { ...contents, runs };
}

async function entriesOf(
  into: TestLedger,
  runs: readonly BundleRun[],
  from: number,
  recordLeaves: readonly number[],
): Promise<PlacedEntry[]> {
  const named = new Set([
    ...recordLeaves,
    from - 1,
    ...runs.flatMap(({ rows, excluded }) => [...rows, ...excluded].flatMap(({ row }) => row.leaves)),
  ]);
  const included: PlacedEntry[] = [];
  for (const [index, entry] of into.texts.entries()) {
    const isCompleteKind = [...completeKinds, censusKind].some((kind) => entry.includes(`"kind":"${kind}"`));
    if (!(isCompleteKind && index >= from) && !named.has(index)) continue;
    const proof = await inclusionProof(into.log.read, index, into.texts.length);
    included.push({ index, entry, proof: proof.map(toBase64) });
  }
  return included;
}

async function earlierOf(into: TestLedger, size: number) {
  const proof = await consistencyProof(into.log.read, size, into.texts.length);
  return { ...(await into.tree(size)), proof: proof.map(toBase64) };
}
