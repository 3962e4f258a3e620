import type { AgentRecord, AgentSession } from '@sightline/contract/tools/agent-sessions.ts';
import { IconPointFilled, IconTerminal2 } from '@tabler/icons-react';
import { Person } from '#ui/Person.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import s from './AgentSessions.module.css';
import { measureText, personSourceTexts, recordDetails, recordKindLabels, tokensOf } from './measureTexts.ts';

const dash = <span className="dim">–</span>;

export const agentSessionColumns: readonly Column<AgentSession>[] = [
  {
    key: 'session',
    header: 'Session',
    place: 'main',
    cell: ({ agent, version, vendorSessionId, repository, branch }) => (
      <RowTitle
        glyph={<IconTerminal2 size={18} stroke={1.5} aria-hidden />}
        meta={
          <span className="truncate">
            {repository === null ? vendorSessionId : `${repository.fullName}${branch === null ? '' : `, ${branch}`}`}
          </span>
        }
      >
        <RowName>{version === null ? agent.name : `${agent.name} ${version}`}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'person',
    header: 'Person',
    width: 220,
    place: 'meta',
    cell: ({ person, personSource }) =>
      person === null ? (
        <span className="dim">{personSourceTexts[personSource]}</span>
      ) : (
        <Person name={person.name} picture={person.picture ?? undefined} detail={personSourceTexts[personSource]} />
      ),
  },
  {
    key: 'models',
    header: 'Models',
    width: 200,
    cell: ({ models }) => (models.length === 0 ? dash : <span className="truncate">{models.join(', ')}</span>),
  },
  {
    key: 'tokens',
    header: 'Tokens',
    width: 100,
    cell: ({ totals }) => {
      const tokens = tokensOf(totals);
      return tokens === undefined ? dash : <span className="num">{measureText('inputTokens', tokens)}</span>;
    },
  },
  {
    key: 'edits',
    header: 'Edits',
    width: 184,
    cell: ({ totals: { editsAccepted, editsRejected } }) =>
      editsAccepted === undefined && editsRejected === undefined ? (
        dash
      ) : (
        <span className="num">
          {editsAccepted ?? 0} accepted, {editsRejected ?? 0} rejected
        </span>
      ),
  },
  {
    key: 'date',
    header: 'Last activity',
    sort: 'date',
    firstDirection: 'desc',
    width: 130,
    place: 'side',
    cell: ({ lastAt }) => <TimeAgo at={lastAt} />,
  },
];

export const agentRecordColumns: readonly Column<AgentRecord>[] = [
  {
    key: 'record',
    header: 'Record',
    place: 'main',
    cell: (record) => (
      <RowTitle
        glyph={<IconPointFilled size={14} aria-hidden />}
        meta={<span className="truncate">{recordDetails(record)}</span>}
      >
        <RowName>
          {record.tool === null ? recordKindLabels[record.kind] : `${recordKindLabels[record.kind]}: ${record.tool}`}
        </RowName>
        {record.promptText !== null && <span className={s.prompt}>{record.promptText}</span>}
      </RowTitle>
    ),
  },
  {
    key: 'date',
    header: 'Time',
    sort: 'date',
    firstDirection: 'asc',
    width: 130,
    place: 'side',
    cell: ({ at }) => <TimeAgo at={at} />,
  },
];
