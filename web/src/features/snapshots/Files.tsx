import type { SnapshotDetails } from '@sightline/contract/snapshots.ts';
import { type Column, DataTable } from '#ui/DataTable.tsx';
import { Panel } from '#ui/Panel.tsx';
import { sizeName } from '#ui/snapshotWords.ts';
import s from './Snapshots.module.css';

type File = SnapshotDetails['files'][number];

/** What the bundle holds, each with its hash. */
export const Files = ({ files }: { files: readonly File[] }) => (
  <Panel title="Files of the bundle" flush>
    <DataTable label="Files of the bundle" columns={columns} rows={files} rowKey={({ path }) => path} empty={null} />
  </Panel>
);

const columns: Column<File>[] = [
  { key: 'path', header: 'File', width: 280, place: 'main', cell: ({ path }) => <code>{path}</code> },
  { key: 'size', header: 'Size', width: 110, place: 'side', cell: ({ size }) => sizeName(size) },
  {
    key: 'sha256',
    header: 'SHA-256',
    place: 'meta',
    cell: ({ sha256 }) => <code className={s.hash}>{sha256}</code>,
  },
];
