import { Button, Menu } from '@mantine/core';
import type { AuditFormat } from '@sightline/contract/audit.ts';
import { IconDownload } from '@tabler/icons-react';
import { Progress } from '#ui/Progress.tsx';
import s from './Audit.module.css';
import type { ExportState } from './useExport.ts';

const formats: { format: AuditFormat; label: string; says: string }[] = [
  { format: 'csv', label: 'CSV', says: 'for spreadsheets' },
  { format: 'json', label: 'JSON', says: 'one list' },
  { format: 'ndjson', label: 'JSON lines', says: 'one entry a line' },
];

interface MenuProps {
  disabled: boolean;
  onExport: (format: AuditFormat) => void;
}

/** Everything the filters leave, not only the page shown. */
export const ExportMenu = ({ disabled, onExport }: MenuProps) => (
  <Menu position="bottom-end" width={224}>
    <Menu.Target>
      <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />} disabled={disabled}>
        Export
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {formats.map(({ format, label, says }) => (
        <Menu.Item key={format} onClick={() => onExport(format)}>
          {label} <span className="dim">{says}</span>
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

interface ProgressProps {
  state: ExportState;
  onStop: () => void;
  onRetry: () => void;
}

export const ExportProgress = ({ state: { done, total, failure }, onStop, onRetry }: ProgressProps) => (
  <div
    className={s.export}
    role={failure === undefined ? 'status' : 'alert'}
    data-failed={failure !== undefined || undefined}
  >
    {failure === undefined ? (
      <>
        <span>Exporting</span>
        <Progress
          label="Exporting the audit log"
          done={done}
          total={total}
          words={`${number.format(done)} of ${number.format(total)} entries`}
        />
        <Button variant="default" size="compact-sm" onClick={onStop}>
          Cancel
        </Button>
      </>
    ) : (
      <>
        <span>The export failed. {failure}</span>
        <Button variant="default" size="compact-sm" onClick={onRetry}>
          Try again
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={onStop}>
          Dismiss
        </Button>
      </>
    )}
  </div>
);

const number = new Intl.NumberFormat('en-GB');
