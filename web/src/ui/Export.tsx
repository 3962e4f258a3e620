import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import s from './Export.module.css';
import { Progress } from './Progress.tsx';

interface MenuProps<Format extends string> {
  formats: readonly { format: Format; label: string; description: string }[];
  disabled: boolean;
  onExport: (format: Format) => void;
}

/** All filtered rows, not only the current page. */
export const ExportMenu = <Format extends string>({ formats, disabled, onExport }: MenuProps<Format>) => (
  <Menu position="bottom-end" width={224}>
    <Menu.Target>
      <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />} disabled={disabled}>
        Export
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {formats.map(({ format, label, description }) => (
        <Menu.Item key={format} onClick={() => onExport(format)}>
          {label} <span className="dim">{description}</span>
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

interface ProgressProps {
  /** The state of `lib/use-export.ts`. */
  state: { done: number; total: number; failure?: string };
  /** The exported data: 'Exporting the audit log'. */
  label: string;
  /** The unit of its lines: 'entries'. */
  noun: string;
  onStop: () => void;
  onRetry: () => void;
}

export const ExportProgress = ({ state: { done, total, failure }, label, noun, onStop, onRetry }: ProgressProps) => (
  <div
    className={s.export}
    role={failure === undefined ? 'status' : 'alert'}
    data-failed={failure !== undefined || undefined}
  >
    {failure === undefined ? (
      <>
        <span>Exporting</span>
        <Progress
          label={label}
          done={done}
          total={total}
          words={
            total === 0 ? `${number.format(done)} ${noun}` : `${number.format(done)} of ${number.format(total)} ${noun}`
          }
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
