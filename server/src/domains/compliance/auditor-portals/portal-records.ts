import type { PortalPerson } from '@sightline/contract/compliance/portal-changes.ts';
import type {
  listPortalRecords,
  PortalRecord,
  PortalRecordKind,
} from '@sightline/contract/compliance/portal-records.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { RecordedAction } from '@sightline/evidence/bundle/parsed-entries.ts';
import { recordedText, unrecordedRepositories } from '@sightline/evidence/bundle/repositories.ts';
import { approvalText } from '@sightline/evidence/bundle/weakening.ts';
import { explainReason, type Reason } from '@sightline/evidence/controls/reasons.ts';
import { type CanonicalValue, canonicalJson, isRecord } from '@sightline/evidence/ledger/canonical.ts';
import type { z } from 'zod';
import type { PortalActor } from '#core/auditor-portals.ts';
import type { Services } from '#core/services.ts';
import { definitionOf } from '../controls/catalog.ts';
import { type OpenedBundle, openPortalBundle } from './opened-bundle.ts';
import { peopleOfPortal } from './portal-people.ts';
import { recordView } from './portal-visits.ts';

/** A record whose persons are opaque IDs. */
type BundledRecord = Omit<PortalRecord, 'actions'> & { actions: readonly BundledAction[] };
type BundledAction = RecordedAction & { done: string };

/** Lists records of a bundle, and records the view. */
export async function viewRecords(
  services: Services,
  actor: PortalActor,
  { snapshotId, kind }: { snapshotId: string; kind: PortalRecordKind },
  { page, perPage, sort, search }: z.output<typeof listPortalRecords.query>,
): Promise<Page<PortalRecord[]>> {
  await services.database.withOrg(actor.orgId, (tx) =>
    recordView(services, tx, {
      actor,
      action: 'portal.viewed',
      viewDetails: { view: viewTexts[kind], snapshot: snapshotId, page, perPage, sort, search },
    }),
  );
  const bundle = await openPortalBundle(services, actor, snapshotId);
  const wanted = search.toLowerCase();
  const found = recordsOf[kind](bundle).filter((record) => textOf(record).includes(wanted));
  const ordered = sort === 'position-desc' ? found.toReversed() : found;
  const shown = ordered.slice((page - 1) * perPage, page * perPage);
  const persons = new Set(shown.flatMap(({ actions }) => actions.flatMap(({ by }) => by ?? [])));
  const people = new Map((await peopleOfPortal(services, actor, [...persons])).map((one) => [one.id, one]));
  return { rows: shown.map((record) => withPeople(record, people)), total: found.length };
}

const viewTexts: Record<PortalRecordKind, string> = {
  policies: 'the policies',
  waivers: 'the waivers',
  remediations: 'the remediations',
  digests: 'the commit digests',
  gaps: 'the missing evidence',
  definitions: 'the versions of control parameters',
};

const textOf = ({ title, state, facts }: BundledRecord): string =>
  [title, state, ...facts.map(({ text }) => text)].join(' ').toLowerCase();

const withPeople = (
  { actions, ...record }: BundledRecord,
  people: ReadonlyMap<string, PortalPerson>,
): PortalRecord => ({
  ...record,
  actions: actions.map(({ by, ...action }) => ({ ...action, by: by === null ? null : (people.get(by) ?? null) })),
});

/** A bundle that does not contain a file has no records of its kind. */
const recordsOf: Record<PortalRecordKind, (bundle: OpenedBundle) => BundledRecord[]> = {
  policies: (bundle) =>
    bundle.records().policies.map(({ id, version, name, kind, mode, scope, settings, made, ended }) => ({
      key: `${id} ${version}`,
      title: `${plain(name)}, version ${version}`,
      state: ended === null ? `In force, mode ${plain(mode)}` : `Ended, mode ${plain(mode)}`,
      facts: [
        { label: 'Kind', text: plain(kind) },
        { label: 'Scope', text: plain(scope) },
        { label: 'Parameters', text: plain(settings) },
      ],
      actions: [...done('Created', made), ...done('Ended', ended)],
    })),
  waivers: (bundle) =>
    bundle.records().waivers.map(({ about, requested, decided, ended, until }, index) => ({
      key: `${index}`,
      title: aboutText(about),
      state: ended ? ended.as : (decided?.as ?? 'pending'),
      facts: [{ label: 'Valid until', text: until }],
      actions: [
        ...done('Requested', requested),
        ...done(decided ? upperFirst(decided.as) : '', decided),
        ...done(ended ? upperFirst(ended.as) : '', ended),
      ],
    })),
  remediations: (bundle) =>
    bundle.records().remediations.map(({ id, control, subject, failure, changes, retests, result }) => ({
      key: id,
      title: `${control}: ${subject}`,
      state: result,
      facts: [
        { label: 'Reasons of the failure', text: reasonTexts(failure.reasons) },
        { label: 'Due on', text: changes.at(-1)?.dueOn ?? 'No due date' },
        { label: 'Ticket', text: changes.at(-1)?.ticketUrl ?? 'None' },
      ],
      actions: [
        ...changes.flatMap((one) => done(one.isRemediated ? 'Stated as remediated' : 'Changed', one)),
        ...retests.flatMap((one) => done(`Retested with result ${one.result}`, one)),
      ],
    })),
  digests: (bundle) =>
    bundle.digests().map(({ id, body, made, reviews }) => ({
      key: id,
      title: digestTitle(bundle, body),
      state: reviews.length === 0 ? 'Not reviewed' : 'Reviewed',
      facts: isRecord(body) ? [{ label: 'Counts', text: plain(body.counts) }] : [],
      actions: [
        { done: 'Created', entry: made.entry, at: made.at, by: null },
        ...reviews.flatMap((one) => done(`Reviewed: ${plain(one.decision)}`, one)),
      ],
    })),
  gaps: (bundle) => [
    ...bundle.gaps().map((gap, index) => ({
      key: `${index}`,
      title: `${plain(gap.control)}: ${reasonTexts([plain(gap.cause)])}`,
      state: typeof gap.rows === 'number' ? `${gap.rows} ${gap.rows === 1 ? 'item' : 'items'}` : 'Population',
      facts: Object.entries(gap)
        .filter(([name]) => !['control', 'cause', 'rows'].includes(name))
        .map(([name, value]) => ({ label: upperFirst(name), text: plain(value) })),
      actions: [],
    })),
    ...unrecordedRepositories(bundle.records().repositories, bundle.manifest.period).map((one) => ({
      key: one.id,
      title: `Repository ${bundle.repositoryNames().get(one.id) ?? one.id} was not recorded for all of the period`,
      state: 'Repository',
      facts: [{ label: 'Recorded', text: recordedText(one) }],
      actions: [],
    })),
  ],
  definitions: (bundle) => bundle.manifest.controls.flatMap((control) => definitionRecords(bundle, control)),
};

type Control = OpenedBundle['manifest']['controls'][number];

/** The versions of the parameters of one control, and the changes that weakened them. */
function definitionRecords(bundle: OpenedBundle, control: Control): BundledRecord[] {
  const { parameters, ...current } = definitionOf(control);
  const catalog = bundle.catalog();
  const { title, rule } = catalog?.controls.find(({ id }) => id === control) ?? current;
  const { settings, weakenings } = bundle.control(control);
  const titleOf = (name: string) => parameters.find((one) => one.name === name)?.title ?? name;
  return [
    {
      key: control,
      title: `${control} ${title}`,
      state: `Version ${catalog?.version ?? 'unknown'} of the catalog`,
      facts: [
        { label: 'Rule', text: rule },
        ...parameters.map((one) => ({ label: `Default of ${one.title}`, text: plain(one.default) })),
      ],
      actions: [],
    },
    ...settings.map(({ version, setting, from, until }) => ({
      key: `${control} ${version}`,
      title: `${control} ${title}: ${version === 0 ? 'defaults' : `version ${version} of the parameters`}`,
      state: until === null || until === undefined ? 'In force' : 'Ended',
      facts: [
        { label: 'Valid', text: `${from ?? 'From the start'} to ${until ?? 'the end'}` },
        ...Object.entries(setting).map(([name, value]) => ({ label: titleOf(name), text: plain(value) })),
      ],
      actions: [],
    })),
    ...weakenings.map((one) => ({
      key: `${control} ${one.entry} ${one.parameter}`,
      title: `${control} ${title}: ${titleOf(one.parameter)} weakened`,
      state: approvalText(one),
      facts: [
        { label: 'Before', text: one.before },
        { label: 'After', text: one.after },
        {
          label: 'Repositories',
          text: one.repositories === null ? 'All without a policy of their own' : String(one.repositories),
        },
      ],
      actions: [
        { done: 'Changed', entry: one.entry, at: one.at, by: one.author },
        ...(one.approver === null ? [] : [{ done: 'Approved', entry: one.entry, at: one.at, by: one.approver }]),
      ],
    })),
  ];
}

const done = (verb: string, action: RecordedAction | null): BundledAction[] =>
  action === null ? [] : [{ done: verb, entry: action.entry, at: action.at, by: action.by }];

/** A value in words: texts as they are, objects as names and values. */
function plain(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map(plain).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(
        ([name, one]) =>
          `${name}: ${typeof one === 'object' && one !== null ? canonicalJson(one as CanonicalValue) : plain(one)}`,
      )
      .join(', ');
  return String(value);
}

const aboutText = (about: { readonly [key: string]: CanonicalValue }): string =>
  about.control === undefined
    ? `Vulnerability ${plain(about.finding)}`
    : `${plain(about.control)}: ${plain(about.subject)}`;

const reasonTexts = (reasons: readonly string[]): string =>
  reasons.map((reason) => explainReason(reason as Reason)?.text ?? reason.replaceAll('_', ' ')).join(' ');

function digestTitle(bundle: OpenedBundle, body: CanonicalValue): string {
  if (!isRecord(body)) return 'Digest without a body';
  const name = bundle.repositoryNames().get(String(body.repository)) ?? plain(body.repository);
  const from = isRecord(body.period) ? plain(body.period.from).slice(0, 10) : '';
  return `${name}, week from ${from}`;
}

const upperFirst = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());
