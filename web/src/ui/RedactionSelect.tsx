import { Select } from '@mantine/core';
import type { SnapshotRedaction } from '@sightline/contract/compliance/snapshots.ts';
import { redactionLabels } from './redactionText.ts';

interface RedactionSelectProps {
  values: readonly SnapshotRedaction[];
  value: SnapshotRedaction;
  description: string;
  onChange: (value: SnapshotRedaction) => void;
}

/** Selects what bundles withhold. */
export const RedactionSelect = ({ values, value, description, onChange }: RedactionSelectProps) => (
  <Select
    label="Redaction"
    description={description}
    data={values.map((one) => ({ value: one, label: redactionLabels[one] }))}
    value={value}
    allowDeselect={false}
    onChange={(chosen) => onChange(values.find((one) => one === chosen) ?? value)}
  />
);
