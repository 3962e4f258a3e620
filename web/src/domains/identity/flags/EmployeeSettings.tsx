import { Button, Switch } from '@mantine/core';
import { type Flag, flagNames } from '@sightline/contract/core/flags.ts';
import { useState } from 'react';
import { type FlagOverrides, readOverrides, writeOverrides } from '#lib/flag-overrides.ts';
import { useFlagsKnown, useServerFlags } from '#lib/flags.ts';
import { Dialog } from '#ui/Dialog.tsx';
import { Tag } from '#ui/Tag.tsx';
import s from './EmployeeSettings.module.css';
import { flagDescriptions } from './flagWords.ts';

interface EmployeeSettingsProps {
  account: string;
  opened: boolean;
  onClose: () => void;
  /** Renders the page with the current overrides. */
  onReload: () => void;
}

const names = Object.keys(flagDescriptions) as Flag[];

/** spec 2.12: flag overrides of an employee for the session. Closing reloads the page if one changed. */
export function EmployeeSettings({ account, opened, onClose, onReload }: EmployeeSettingsProps) {
  const server = useServerFlags();
  const known = useFlagsKnown();
  const [shown] = useState(() => readOverrides(account));
  const [overrides, setOverrides] = useState(shown);
  const changed = flagNames.some((name) => overrides[name] !== shown[name]);
  const save = (next: FlagOverrides) => {
    writeOverrides(account, next);
    setOverrides(next);
  };
  const toggle = (name: Flag, on: boolean) => {
    const { [name]: _, ...others } = overrides;
    save(on === server.has(name) ? others : { ...others, [name]: on });
  };
  return (
    <Dialog
      title="Employee Settings"
      opened={opened}
      onClose={changed ? onReload : onClose}
      width={520}
      actions={
        <>
          <div className={s.all}>
            <Button variant="default" onClick={() => save(Object.fromEntries(names.map((name) => [name, false])))}>
              All Off
            </Button>
            <Button variant="default" disabled={Object.keys(overrides).length === 0} onClick={() => save({})}>
              Clear All Overrides
            </Button>
          </div>
          {changed ? (
            <Button onClick={onReload}>Close and reload</Button>
          ) : (
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          )}
        </>
      }
    >
      <p className={s.words}>Overrides apply to this tab until you sign out. They do not change flags on the server.</p>
      <ul className={s.list}>
        {names.map((name) => (
          <li key={name}>
            <Switch
              classNames={{ body: s.row ?? '', labelWrapper: s.label ?? '', track: s.track ?? '' }}
              labelPosition="left"
              label={
                <>
                  {flagDescriptions[name].label} {overrides[name] !== undefined && <Tag>Overridden</Tag>}
                </>
              }
              description={`Server: ${known ? (server.has(name) ? 'on' : 'off') : 'unknown'} · ${flagDescriptions[name].opens}`}
              checked={overrides[name] ?? server.has(name)}
              onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
