import { definitions } from '../controls/catalog.ts';
import { countsText } from '../controls/verdicts.ts';
import type { CanonicalValue } from '../ledger/canonical.ts';
import type { Manifest } from './manifest.ts';
import { line, ns, oscalVersion } from './oscal-terms.ts';
import type { ControlSummary } from './packed-run.ts';
import { type RemediationRecord, type RemediationRetest, remediatedAt } from './remediations.ts';
import { uuidOf } from './uuid.ts';

export const poamPath = 'oscal/poam.json';

/** The role of the owners of failing rows. */
const ownerRole = 'remediation-owner';

/**
 * Builds an OSCAL 1.2.1 plan of action and milestones: an item for each remediation, and one for each control with
 * failing rows that have none. Undefined without items, which OSCAL does not permit. `takenAt`: the time of the last
 * census.
 */
export function poamOf(
  { bundleId, name, org }: Pick<Manifest, 'bundleId' | 'name' | 'org'>,
  takenAt: string,
  controls: readonly Pick<ControlSummary, 'id' | 'run' | 'unassignedFailures'>[],
  remediations: readonly RemediationRecord[],
): CanonicalValue | undefined {
  const uuid: NameUuid = (one) => uuidOf(bundleId, one);
  const unassigned = controls.filter(({ unassignedFailures }) => unassignedFailures > 0);
  if (remediations.length + unassigned.length === 0) return undefined;
  const owners = [...new Set(remediations.flatMap(({ changes }) => changes.at(-1)?.owner ?? []))].sort();
  return {
    'plan-of-action-and-milestones': {
      uuid: uuid('poam'),
      metadata: {
        title: line(`${name}, ${org.name}: remediation`),
        'last-modified': takenAt,
        version: '1',
        'oscal-version': oscalVersion,
        roles: [{ id: ownerRole, title: 'Owner of failing items' }],
        ...(owners.length > 0 && {
          parties: owners.map((person) => ({
            uuid: uuid(`party/${person}`),
            type: 'person',
            'external-ids': [{ scheme: `${ns}/person`, id: person }],
          })),
        }),
      },
      'system-id': { 'identifier-type': `${ns}/organization`, id: org.id },
      observations: [
        ...remediations.flatMap((one) => [
          failureOf(one, uuid),
          ...one.retests.map((retest) => retestOf(one, retest, uuid)),
        ]),
        ...unassigned.map(({ id, run }) => ({
          uuid: uuid(`failing/${id}`),
          title: titleOf(id),
          description: `${countsText(run.counts)}.`,
          methods: ['TEST'],
          'relevant-evidence': [{ href: `../evidence/${id}.jsonl`, description: 'Every item with its verdict.' }],
          collected: takenAt,
        })),
      ],
      ...(remediations.length > 0 && { risks: remediations.map((one) => riskOf(one, uuid)) }),
      'poam-items': [
        ...remediations.map((one) => itemOf(one, uuid)),
        ...unassigned.map(({ id, unassignedFailures: count }) => ({
          uuid: uuid(`unassigned/${id}`),
          title: titleOf(id),
          description: `${count} failing ${count === 1 ? 'item has' : 'items have'} no owner, due date or ticket.`,
          props: [prop('control', id), prop('failing-items', String(count))],
          'related-observations': [{ 'observation-uuid': uuid(`failing/${id}`) }],
        })),
      ],
    },
  };
}

type NameUuid = (name: string) => string;

const prop = (name: string, value: string) => ({ name, ns, value: line(value) });
const titleOf = (id: string): string => line(`${id}: ${definitions.find((one) => one.id === id)?.title ?? ''}`);
const observationName = ({ id }: RemediationRecord, retest?: RemediationRetest): string =>
  retest ? `remediation/${id}/retest/${retest.entry}` : `remediation/${id}/failure`;

const failureOf = (record: RemediationRecord, uuid: NameUuid): CanonicalValue => ({
  uuid: uuid(observationName(record)),
  title: titleOf(record.control),
  description: `The item ${line(record.subject)} failed: ${record.failure.reasons.join(', ')}.`,
  props: [
    prop('verdict', record.failure.verdict),
    prop('evaluation', record.failure.evaluation.id),
    prop('period', `${record.failure.evaluation.period.from}/${record.failure.evaluation.period.to}`),
  ],
  methods: ['TEST'],
  collected: record.failure.evaluation.at,
});

const retestOf = (record: RemediationRecord, retest: RemediationRetest, uuid: NameUuid): CanonicalValue => ({
  uuid: uuid(observationName(record, retest)),
  title: titleOf(record.control),
  description: `The item ${line(record.subject)} was retested with result ${retest.result}.`,
  props: [
    prop('verdict', retest.result),
    prop('ledger-entry', String(retest.entry)),
    ...(retest.evaluation ? [prop('evaluation', retest.evaluation.id)] : []),
  ],
  methods: [retest.evaluation ? 'TEST' : 'EXAMINE'],
  collected: retest.at,
});

/** The end of the last day. */
const endOf = (dueOn: string): string => `${dueOn}T23:59:59.999Z`;

function riskOf(record: RemediationRecord, uuid: NameUuid): CanonicalValue {
  const { id, control, changes, retests, result } = record;
  const { owner = null, dueOn = null } = changes.at(-1) ?? {};
  const isPassed = retests.at(-1)?.result === 'pass';
  const isDone = remediatedAt(record) !== null;
  return {
    uuid: uuid(`remediation/${id}/risk`),
    title: titleOf(control),
    description: stateOf(record),
    statement: definitions.find((one) => one.id === control)?.rule ?? control,
    status: isPassed ? 'closed' : isDone ? 'remediating' : 'open',
    ...(dueOn !== null && { deadline: endOf(dueOn) }),
    remediations: [
      {
        uuid: uuid(`remediation/${id}/response`),
        lifecycle: isDone || isPassed ? 'completed' : 'planned',
        title: 'Remediation',
        description: line(result),
        tasks: [
          {
            uuid: uuid(`remediation/${id}/task`),
            type: 'milestone',
            title: 'Remediate and retest',
            ...(dueOn !== null && { timing: { 'on-date': { date: endOf(dueOn) } } }),
            ...(owner !== null && {
              'responsible-roles': [{ 'role-id': ownerRole, 'party-uuids': [uuid(`party/${owner}`)] }],
            }),
          },
        ],
      },
    ],
    'related-observations': observationsOf(record, uuid),
  };
}

const stateOf = ({ subject, result }: RemediationRecord): string => `The item ${line(subject)}: ${result}.`;

const observationsOf = (record: RemediationRecord, uuid: NameUuid): CanonicalValue =>
  [undefined, ...record.retests].map((retest) => ({ 'observation-uuid': uuid(observationName(record, retest)) }));

// Only addresses that are valid references in every program become links.
const plainUrl = /^https?:\/\/[A-Za-z0-9.-]+(:[0-9]+)?(\/[A-Za-z0-9._~/-]*)?(\?[A-Za-z0-9._~&=-]*)?$/;

function itemOf(record: RemediationRecord, uuid: NameUuid): CanonicalValue {
  const { id, control, changes, subject } = record;
  const { owner = null, ticketUrl = null } = changes.at(-1) ?? {};
  return {
    uuid: uuid(`remediation/${id}`),
    title: titleOf(control),
    description: stateOf(record),
    props: [
      prop('control', control),
      prop('subject', subject),
      ...(ticketUrl === null ? [] : [prop('ticket', ticketUrl)]),
    ],
    ...(ticketUrl !== null && plainUrl.test(ticketUrl) && { links: [{ href: ticketUrl, rel: 'ticket' }] }),
    ...(owner !== null && {
      origins: [{ actors: [{ type: 'party', 'actor-uuid': uuid(`party/${owner}`), 'role-id': ownerRole }] }],
    }),
    'related-observations': observationsOf(record, uuid),
    'related-risks': [{ 'risk-uuid': uuid(`remediation/${id}/risk`) }],
  };
}
