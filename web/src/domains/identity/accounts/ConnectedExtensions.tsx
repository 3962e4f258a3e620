import { Button } from '@mantine/core';
import {
  disconnectExtension,
  type Extension,
  listExtensions,
  programName,
} from '@sightline/contract/identity/extensions.ts';
import { IconPlugConnected } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery, keyOf } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { BrandIcon } from '#ui/BrandIcon.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { HelpLink } from '#ui/HelpLink.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';
import { AccountListItem } from './AccountListItem.tsx';
import { AccountSection, SkeletonRows } from './AccountSection.tsx';

/**
 * Lists the connected extensions of the account in all organizations, and its MCP clients if there are any. Each can be
 * disconnected immediately.
 */
export function ConnectedExtensions() {
  const { data, error, refetch } = useQuery({ ...endpointQuery(listExtensions, {}), meta: { quiet: true } });
  const queryClient = useQueryClient();
  const [ending, setEnding] = useState<Extension>();
  const end = useMutation({
    mutationFn: ({ id }: Extension) => call(disconnectExtension, { params: { extensionId: id } }),
    onSuccess: (_, ended) => {
      queryClient.setQueryData(keyOf(listExtensions, {}), (all: Extension[] | undefined) =>
        all?.filter((one) => one.id !== ended.id),
      );
      toast.success(
        isMcpClient(ended)
          ? `${nameOf(ended)} is disconnected.`
          : `The extension for ${programName(ended.type)} is disconnected.`,
      );
    },
    // The extension was probably removed in the meantime, so the list is refetched.
    onError: () => void refetch(),
    onSettled: () => setEnding(undefined),
  });
  const extensions = data?.filter((one) => !isMcpClient(one));
  const mcpClients = data?.filter(isMcpClient) ?? [];
  return (
    <>
      <AccountSection
        id="extensions"
        title="Connected extensions"
        flush
        aside={<HelpLink href={docsHref('privacy', 'disconnect')} about="disconnecting an extension" />}
      >
        {error && !data ? (
          <Failure title="Your extensions could not be loaded" error={error} onRetry={() => void refetch()} />
        ) : !extensions ? (
          <SkeletonRows />
        ) : extensions.length === 0 ? (
          <Empty
            kind="nothing-yet"
            title="No connected extensions"
            action={
              <Button component="a" variant="default" href="#downloads">
                Get an extension
              </Button>
            }
          >
            Install an extension in your editor or browser and sign in there. Connected extensions appear here.
          </Empty>
        ) : (
          <ConnectedPrograms programs={extensions} onDisconnect={setEnding} />
        )}
      </AccountSection>
      {mcpClients.length > 0 && (
        <AccountSection
          id="mcp-clients"
          title="Connected MCP clients"
          flush
          aside={<HelpLink href={docsHref('mcp', 'disconnect')} about="disconnecting an MCP client" />}
        >
          <ConnectedPrograms programs={mcpClients} onDisconnect={setEnding} />
        </AccountSection>
      )}
      {ending && (
        <ConfirmDialog
          opened
          onClose={() => setEnding(undefined)}
          title={`Disconnect ${nameOf(ending)}?`}
          confirm="Disconnect"
          danger
          pending={end.isPending}
          onConfirm={() => end.mutate(ending)}
        >
          {isMcpClient(ending)
            ? `It can no longer read data of ${ending.organization.displayName}.`
            : `It stops reporting for ${ending.organization.displayName} immediately. Reported data stays.`}{' '}
          To connect it again, sign in there.
        </ConfirmDialog>
      )}
    </>
  );
}

const ConnectedPrograms = ({
  programs,
  onDisconnect,
}: {
  programs: readonly Extension[];
  onDisconnect: (program: Extension) => void;
}) => (
  <ul>
    {programs.map((program) => (
      <AccountListItem
        key={program.id}
        icon={
          iconlessPrograms.has(program.type) ? (
            <IconPlugConnected size={20} aria-hidden />
          ) : (
            <BrandIcon name={markOf(program.type)} size={20} />
          )
        }
        name={nameOf(program)}
        meta={
          <>
            {program.organization.displayName}
            {program.version !== null && ` · version ${program.version}`} · signed in <TimeAgo at={program.createdAt} />
            {program.lastUsedAt !== null && (
              <>
                {' '}
                · last used <TimeAgo at={program.lastUsedAt} />
              </>
            )}
          </>
        }
      >
        <Button variant="default" aria-label={`Disconnect ${nameOf(program)}`} onClick={() => onDisconnect(program)}>
          Disconnect
        </Button>
      </AccountListItem>
    ))}
  </ul>
);

const isMcpClient = ({ side }: Extension): boolean => side === 'mcp';

/** An MCP client that registered itself has only the name that it gave itself. */
const nameOf = ({ side, type, device }: Extension): string => {
  if (side === 'mcp') return device === '' ? programName(type) : device;
  return programName(type) + (device === '' ? '' : ` on ${device}`);
};

const iconlessPrograms = new Set(['codex', 'mcp']);
const marks: Partial<Record<string, string>> = { 'claude-code': 'claude', 'gemini-cli': 'google' };

/** Editors based on VS Code show its icon if they have none of their own. */
const markOf = (type: string): string =>
  marks[type] ?? (/^(vscode|vscodium|code-|windsurf)/.test(type) ? 'vscode' : type);
