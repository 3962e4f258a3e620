import { Button, TextInput } from '@mantine/core';
import type { RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { gitRef } from '@sightline/contract/vulnerabilities/scans.ts';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { Panel } from '#ui/Panel.tsx';
import s from './Scans.module.css';
import { UploadCard } from './UploadCard.tsx';
import { useUploads } from './useUploads.ts';

/** Uploads SARIF files by drag and drop or by the button, and shows progress and changes of each. */
export function UploadPanel({ repository }: { repository: RepositoryDetail }) {
  const { provider, fullName, defaultBranch } = repository;
  const { uploads, send, remove } = useUploads();
  const [branch, setBranch] = useState('');
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const ref = branch.trim() === '' ? undefined : branch.trim();
  const wrong = ref !== undefined && !gitRef.safeParse(ref).success;
  const addFiles = (files: FileList | null) => {
    if (!wrong && files) send([...files], { provider, repoPath: fullName, ref });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    addFiles(event.dataTransfer.files);
  };
  return (
    <Panel title="Upload results">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside offers the same by keyboard */}
      <div
        className={s.drop}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <IconFileUpload size={22} stroke={1.5} aria-hidden />
        <p className={s.invite}>
          <b>Drop a SARIF file here</b>
          <span>SARIF 2.1.0 from any scanner, plain or gzip, up to 100 MB.</span>
        </p>
        <input
          ref={input}
          type="file"
          multiple
          accept=".sarif,.json,.gz,application/sarif+json,application/json,application/gzip"
          className="vh"
          tabIndex={-1}
          aria-hidden
          onChange={({ currentTarget }) => {
            addFiles(currentTarget.files);
            currentTarget.value = '';
          }}
        />
        <Button disabled={wrong} onClick={() => input.current?.click()}>
          Choose a file
        </Button>
      </div>
      <TextInput
        className={s.branch ?? ''}
        label="Branch that was scanned"
        placeholder={defaultBranch}
        value={branch}
        error={wrong ? 'A branch, or a full ref such as refs/pull/12/merge' : undefined}
        onChange={({ currentTarget }) => setBranch(currentTarget.value)}
        spellCheck={false}
      />
      {uploads.length > 0 && (
        <ul className={s.uploads} aria-label="Files">
          {uploads.map((upload) => (
            <UploadCard key={upload.id} upload={upload} repository={repository} onRemove={() => remove(upload.id)} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
