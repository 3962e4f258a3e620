import type { PortalAction } from '@sightline/contract/compliance/portal-changes.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { verdictBadges } from '#ui/verdicts.ts';
import type { Column } from '../../../../ui/column.ts';
import { utcTimeText } from '../portalLabels.ts';
import type { PersonNames, PortalChange } from './custodyTexts.ts';
import s from './Portal.module.css';

interface EvidenceProps {
  change: PortalChange;
  names: PersonNames;
  controlHref: (control: string) => string;
}

/** Shows how controls evaluated the change, and the waivers, remediations and policies that apply to it. */
export function ChangeEvidence({ change, names, controlHref }: EvidenceProps) {
  return (
    <>
      <Panel title="Control results" flush>
        <DataTable
          tall
          label="Control results"
          columns={resultColumns(controlHref)}
          rows={change.results}
          rowKey={({ control, position }) => `${control} ${position}`}
          empty={
            <Empty kind="nothing-yet" title="No control evaluated this change">
              The snapshot contains the change, but none of its controls has it in the population.
            </Empty>
          }
        />
      </Panel>
      <Panel title="Waivers and remediations">
        {change.waivers.length + change.remediations.length === 0 && <p className="dim">None recorded.</p>}
        <ul className={s.value}>
          {change.waivers.map((waiver) => (
            <li key={`${waiver.control} ${waiver.requested?.entry} ${waiver.decided?.entry}`}>
              Waiver of {waiver.control}
              {actionText(', requested', waiver.requested, names)}
              {actionText(`, ${waiver.decided?.as}`, waiver.decided, names)}
              {actionText(`, ${waiver.ended?.as}`, waiver.ended, names)}
              {waiver.until !== '' && `, until ${waiver.until}`}
            </li>
          ))}
          {change.remediations.map(({ control, result, entries }) => (
            <li key={`${control} ${entries.join(' ')}`}>
              {control}: {result} <span className="dim">(ledger entries {entries.join(', ')})</span>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="Policies in force at the merge">
        {change.policies.length === 0 && (
          <p className="dim">No policy applied to this repository: default parameters.</p>
        )}
        <ul className={s.value}>
          {change.policies.map(({ id, name, version, mode, made }) => (
            <li key={`${id} ${version}`}>
              {name}, version {version}, mode {mode}
              {actionText(', recorded', made, names)}
            </li>
          ))}
        </ul>
      </Panel>
    </>
  );
}

const actionText = (verb: string, action: PortalAction | null, names: PersonNames): string =>
  action === null
    ? ''
    : `${verb} by ${action.by === null ? 'the system' : names.ofPerson(action.by)} on ${utcTimeText(action.at)} (ledger entry ${action.entry})`;

type Result = PortalChange['results'][number];

const resultColumns = (controlHref: (control: string) => string): Column<Result>[] => [
  {
    key: 'control',
    header: 'Control',
    place: 'main',
    cell: ({ control, title }) => (
      <Link className="link" href={controlHref(control)}>
        {control} {title}
      </Link>
    ),
  },
  {
    key: 'verdict',
    header: 'Verdict',
    width: 156,
    place: 'metaEnd',
    cell: ({ verdict }) => <StatusBadge tone={verdictBadges[verdict][0]}>{verdictBadges[verdict][1]}</StatusBadge>,
  },
  {
    key: 'why',
    header: 'Reason',
    width: 400,
    place: 'meta',
    cell: ({ explanations }) => (
      <ul className={s.reasons}>
        {explanations.map(({ code, text, about }) => (
          <li key={`${code} ${about}`}>{text}</li>
        ))}
      </ul>
    ),
  },
  {
    key: 'setting',
    header: 'Parameters',
    width: 110,
    cell: ({ setting }) => (setting === 0 ? 'Defaults' : `Version ${setting}`),
  },
  { key: 'entry', header: 'Ledger entry', width: 110, cell: ({ entry }) => <span className="num">{entry}</span> },
];
