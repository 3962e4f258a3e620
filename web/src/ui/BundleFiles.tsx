import type { SnapshotDetails } from '@sightline/contract/compliance/snapshots.ts';
import s from './BundleFiles.module.css';
import type { Column } from './column.ts';
import { DataTable } from './DataTable.tsx';
import { Panel } from './Panel.tsx';
import { formatFileSize } from './snapshotText.ts';

type BundleFile = SnapshotDetails['files'][number];

/** The files of a bundle with their hashes: top-level files immediately, folders expandable. Print shows all. */
export function BundleFiles({ files }: { files: readonly BundleFile[] }) {
  const folders = Map.groupBy(files, ({ path }) => path.slice(0, path.indexOf('/') + 1));
  const { '': top = [], ...within } = Object.fromEntries(folders);
  return (
    <Panel title="Files of the bundle" flush>
      {top.length > 0 && <Table label="Files of the bundle" files={top} />}
      {Object.entries(within).map(([folder, of]) => (
        <details key={folder} className={s.folder}>
          <summary>
            <code>{folder}</code>
            <span className="dim">{contentsOf(of)}</span>
          </summary>
          <Table label={`Files in ${folder}`} files={of} />
        </details>
      ))}
    </Panel>
  );
}

const contentsOf = (files: readonly BundleFile[]) =>
  `${files.length.toLocaleString('en')} ${files.length === 1 ? 'file' : 'files'}, ${formatFileSize(files.reduce((sum, { size }) => sum + size, 0))}`;

const Table = ({ label, files }: { label: string; files: readonly BundleFile[] }) => (
  <DataTable label={label} columns={columns} rows={files} rowKey={({ path }) => path} empty={null} />
);

const columns: Column<BundleFile>[] = [
  { key: 'path', header: 'File', width: 280, place: 'main', cell: ({ path }) => <code>{path}</code> },
  { key: 'size', header: 'Size', width: 110, place: 'side', cell: ({ size }) => formatFileSize(size) },
  { key: 'sha256', header: 'SHA-256', place: 'meta', cell: ({ sha256 }) => <code className={s.hash}>{sha256}</code> },
];
