import { Button } from '@mantine/core';
import {
  type Attachment,
  type AttachmentPlace,
  type attachAsAuditor,
  attachmentTypes,
  type attachToPortal,
  type downloadAsAuditor,
  type downloadPortalAttachment,
  isAttachmentName,
  MAX_ATTACHMENT_BYTES,
} from '@sightline/contract/compliance/portal-attachments.ts';
import { IconPaperclip } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { download } from '#lib/download.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { upload } from '#lib/upload.ts';
import { formatFileSize } from '#ui/snapshotText.ts';
import { toast } from '#ui/toast.ts';
import s from './Portals.module.css';
import { utcTimeText } from './portalLabels.ts';

/** The endpoints of one side: of members of the organization, or of the auditor. */
export interface AttachmentEndpoints {
  attach: typeof attachToPortal | typeof attachAsAuditor;
  download: typeof downloadPortalAttachment | typeof downloadAsAuditor;
}

interface AttachmentsProps {
  portalId: string;
  endpoints: AttachmentEndpoints;
  files: readonly Attachment[];
  /** Where new files belong; undefined: none can be attached. */
  place: Omit<AttachmentPlace, 'name'> | undefined;
  /** What the files are about, for screen readers: 'item 4'. */
  about: string;
}

/** Lists files, each with a download, and attaches new ones. */
export function Attachments({ portalId, endpoints, files, place, about }: AttachmentsProps) {
  return (
    <div className={s.files}>
      {files.length > 0 && (
        <ul aria-label={`Files of ${about}`}>
          {files.map((file) => (
            <li key={file.id}>
              <FileLink portalId={portalId} endpoint={endpoints.download} file={file} />
              <span className="dim">
                {formatFileSize(file.size)}, from the {file.side}, {utcTimeText(file.attachedAt)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {place && <AttachButton portalId={portalId} endpoint={endpoints.attach} place={place} about={about} />}
    </div>
  );
}

interface FileLinkProps {
  portalId: string;
  endpoint: AttachmentEndpoints['download'];
  file: Attachment;
}

function FileLink({ portalId, endpoint, file }: FileLinkProps) {
  const save = useMutation({
    mutationFn: () => download(endpoint, { params: { portalId, attachmentId: file.id } }),
    meta: { quiet: true },
    onError: (error) => toast.error(errorMessageOf(error, 'The file was not downloaded. Try again.')),
  });
  return (
    <button
      type="button"
      className={`link ${s.file}`}
      data-paper
      disabled={save.isPending}
      onClick={() => save.mutate()}
    >
      {file.name}
    </button>
  );
}

interface AttachButtonProps {
  portalId: string;
  endpoint: AttachmentEndpoints['attach'];
  place: Omit<AttachmentPlace, 'name'>;
  about: string;
}

function AttachButton({ portalId, endpoint, place, about }: AttachButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const send = useMutation({
    mutationFn: (file: File) =>
      upload(endpoint, { params: { portalId }, query: { ...place, name: file.name } }, file, {
        signal: new AbortController().signal,
        onSent: () => undefined,
        isStored: true,
      }),
    meta: { quiet: true },
    onError: (error) => toast.error(errorMessageOf(error, 'The file was not attached. Try again.')),
  });
  const choose = (file: File | undefined) => {
    if (!file) return;
    const problem = problemOf(file);
    if (problem === undefined) send.mutate(file);
    else toast.error(problem);
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`File of ${about}`}
        accept={attachmentTypes.map((type) => `.${type}`).join(',')}
        onChange={({ currentTarget }) => {
          choose(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Attach file to ${about}`}
        leftSection={<IconPaperclip size={14} aria-hidden />}
        loading={send.isPending}
        onClick={() => input.current?.click()}
      >
        Attach file
      </Button>
    </>
  );
}

function problemOf({ name, size }: File): string | undefined {
  if (!isAttachmentName(name))
    return `Files of this type are not accepted. Accepted are ${attachmentTypes.join(', ')}.`;
  if (size === 0) return 'The file is empty.';
  if (size > MAX_ATTACHMENT_BYTES) return `A file has at most ${formatFileSize(MAX_ATTACHMENT_BYTES)}.`;
  return undefined;
}
