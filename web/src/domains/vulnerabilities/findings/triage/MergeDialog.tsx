import { Checkbox } from '@mantine/core';
import {
  type Finding,
  type FindingDetail,
  findingStatuses,
  listFindings,
} from '@sightline/contract/vulnerabilities/findings.ts';
import { mergeFindings } from '@sightline/contract/vulnerabilities/triage.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { SearchBox } from '#ui/SearchBox.tsx';
import { Severity } from '#ui/Severity.tsx';
import { toast } from '#ui/toast.ts';
import { locationText } from '../location-text.ts';
import { DecisionDialog } from './DecisionDialog.tsx';
import s from './Triage.module.css';
import { useDecision } from './useDecision.ts';

interface MergeDialogProps {
  finding: FindingDetail;
  onClose: () => void;
}

/** Searches findings of the same repository and merges them into this one. */
export function MergeDialog({ finding, onClose }: MergeDialogProps) {
  const { id, title, repository } = finding;
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<readonly Finding[]>([]);
  const found = useQuery({
    ...endpointQuery(listFindings, {
      query: { search, repository: [repository.id], status: [...findingStatuses], perPage: 20 },
    }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const merge = useDecision(
    (ids: string[]) => call(mergeFindings, { params: { findingId: id }, body: { ids } }),
    (_, ids) => {
      toast.success(
        ids.length === 1 ? 'The vulnerabilities are merged.' : `${ids.length + 1} vulnerabilities are merged.`,
      );
      onClose();
    },
  );
  const isChosen = (one: Finding) => chosen.some((other) => other.id === one.id);
  // Selected findings stay visible during further searches.
  const others = found.data?.rows.filter((row) => row.id !== id && !isChosen(row));
  const toggle = (one: Finding) =>
    setChosen(isChosen(one) ? chosen.filter((other) => other.id !== one.id) : [...chosen, one]);
  return (
    <DecisionDialog
      title={`Merge into “${title}”`}
      confirm={chosen.length === 0 ? 'Merge' : `Merge ${chosen.length}`}
      incomplete={chosen.length === 0}
      pending={merge.isPending}
      error={merge.error}
      onClose={onClose}
      onConfirm={() => merge.mutate(chosen.map((one) => one.id))}
      width={560}
    >
      <p className="dim">
        The selected vulnerabilities become part of this one, in later scans too, and their links lead here. Decisions
        about this one are kept. A split reverses the merge.
      </p>
      <SearchBox label={`Search in ${repository.fullName}`} value={search} onChange={setSearch} width={520} />
      <ul className={s.choices} aria-label="Vulnerabilities of this repository" aria-busy={!found.data}>
        {[...chosen, ...(others ?? [])].map((one) => (
          <li key={one.id}>
            <Checkbox
              checked={isChosen(one)}
              onChange={() => toggle(one)}
              aria-label={one.title}
              label={
                <span className={s.choice}>
                  <span className={s.severity}>
                    <Severity level={one.severity} />
                  </span>
                  <span className={s.words}>
                    <b>{one.title}</b>
                    {one.coordinate && <code>{locationText(one.coordinate)}</code>}
                  </span>
                </span>
              }
            />
          </li>
        ))}
        {others?.length === 0 && chosen.length === 0 && (
          <li className={s.none}>
            {search === '' ? 'No other vulnerabilities in this repository.' : 'No vulnerabilities match.'}
          </li>
        )}
        {found.error && !found.data && (
          <li className={s.none}>{errorMessageOf(found.error, 'The vulnerabilities could not be loaded.')}</li>
        )}
      </ul>
    </DecisionDialog>
  );
}
