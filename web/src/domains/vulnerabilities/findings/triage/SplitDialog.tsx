import { Checkbox } from '@mantine/core';
import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { splitFinding } from '@sightline/contract/vulnerabilities/triage.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useNavigate } from '#ui/Link.tsx';
import { toast } from '#ui/toast.ts';
import { locationText } from '../location-text.ts';
import { ToolMark } from '../toolMarks.tsx';
import { DecisionDialog } from './DecisionDialog.tsx';
import s from './Triage.module.css';
import { useDecision } from './useDecision.ts';

interface SplitDialogProps {
  finding: FindingDetail;
  onClose: () => void;
}

/** Moves selected sources of a finding to a new finding. At least one must remain. */
export function SplitDialog({ finding: { id, title, sources: every }, onClose }: SplitDialogProps) {
  const sources = stillReported(every);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const navigate = useNavigate();
  const split = useDecision(
    (ids: readonly string[]) => call(splitFinding, { params: { findingId: id }, body: { sources: [...ids] } }),
    (created) => {
      toast.offer('Split into two vulnerabilities. Later scans keep them separate.', 'Open the new one', () =>
        navigate(`/vulnerabilities/${created.id}`),
      );
      onClose();
    },
  );
  const toggle = (source: string) =>
    setChosen(chosen.includes(source) ? chosen.filter((other) => other !== source) : [...chosen, source]);
  const all = chosen.length === sources.length;
  return (
    <DecisionDialog
      title={`Split “${title}”`}
      confirm="Split"
      incomplete={chosen.length === 0 || all}
      pending={split.isPending}
      error={split.error}
      onClose={onClose}
      onConfirm={() => split.mutate(chosen)}
      width={560}
    >
      <p className="dim">The selected results become a separate open vulnerability. Decisions stay with this one.</p>
      <ul className={s.choices} aria-label="Results of this vulnerability">
        {sources.map(({ id: source, tool, ruleId, explanation, instances }) => (
          <li key={source}>
            <Checkbox
              checked={chosen.includes(source)}
              onChange={() => toggle(source)}
              aria-label={`${tool.name} ${ruleId}`}
              label={
                <span className={s.choice}>
                  <ToolMark tool={tool.id} size={16} />
                  <span className={s.words}>
                    <b>
                      {tool.name} <code>{ruleId}</code>
                    </b>
                    {placesOf(instances) && <code>{placesOf(instances)}</code>}
                    <span className="dim">{explanation}</span>
                  </span>
                </span>
              }
            />
          </li>
        ))}
      </ul>
      {all && <p className={s.hint}>At least one result must remain.</p>}
    </DecisionDialog>
  );
}

/** Returns the sources that a scan still reports. Includes fixed ones if fewer than two remain. */
function stillReported(sources: FindingDetail['sources']): FindingDetail['sources'] {
  const seen = sources.filter(({ instances }) => instances.some(({ state }) => state !== 'fixed'));
  return seen.length > 1 ? seen : sources;
}

const placesOf = (instances: FindingDetail['sources'][number]['instances']): string =>
  [
    ...new Set(
      instances.flatMap(({ filePath, line }) => (filePath === null ? [] : [locationText({ filePath, line })])),
    ),
  ].join(', ');
