import { Select } from '@mantine/core';
import { type FindingGrouping, findingGroupings } from '@sightline/contract/vulnerabilities/findings.ts';
import { z } from 'zod';

/** The grouping in the address of a list of findings; undefined lists single findings. */
export const groupQuery = z.object({ group: z.enum(findingGroupings).optional() });

export const groupingNames: Record<FindingGrouping, string> = {
  rule: 'Rule',
  repository: 'Repository',
  assignee: 'Assignee',
  component: 'Component',
};

interface GroupBySelectProps {
  value: FindingGrouping | undefined;
  /** False in the list of one repository. */
  withRepositories: boolean;
  onChange: (value: FindingGrouping | undefined) => void;
}

export const GroupBySelect = ({ value, withRepositories, onChange }: GroupBySelectProps) => (
  <Select
    aria-label="Group by"
    w={168}
    allowDeselect={false}
    data={[
      { value: noGroup, label: 'No grouping' },
      ...findingGroupings
        .filter((one) => withRepositories || one !== 'repository')
        .map((one) => ({ value: one, label: `By ${groupingNames[one].toLowerCase()}` })),
    ]}
    value={value ?? noGroup}
    onChange={(next) => onChange(findingGroupings.find((one) => one === next))}
  />
);

const noGroup = 'none';
