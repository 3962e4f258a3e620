import { SegmentedControl } from '@mantine/core';

interface ToggleChoice<Value extends string> {
  value: Value;
  label: string;
}

interface SegmentedToggleProps<Value extends string> {
  /** The selected field, for screen readers: 'State'. */
  label: string;
  choices: readonly [ToggleChoice<Value>, ToggleChoice<Value>];
  value: Value;
  onChange: (value: Value) => void;
}

/** Exactly two choices, one of them always on: 'Open PRs | Closed PRs'. */
export const SegmentedToggle = <Value extends string>({
  label,
  choices,
  value,
  onChange,
}: SegmentedToggleProps<Value>) => (
  <SegmentedControl
    aria-label={label}
    data={choices.map((choice) => ({ ...choice }))}
    value={value}
    onChange={onChange}
    transitionDuration={120}
  />
);
