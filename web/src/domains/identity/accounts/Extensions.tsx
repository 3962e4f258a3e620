import { Button } from '@mantine/core';
import {
  disconnectExtension,
  type Extension,
  listExtensions,
  programName,
} from '@sightline/contract/identity/extensions.ts';
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
import { AccountListItem } from './Row.tsx';
import { AccountSection, SkeletonRows } from './Section.tsx';

/** Lists the connected extensions of the account in all organizations. Each can be signed out immediately. */
export function ConnectedExtensions() {
  const { data, error, refetch } = useQuery({ ...endpointQuery(listExtensions, {}), meta: { quiet: true } });
  const queryClient = useQueryClient();
  const [ending, setEnding] = useState<Extension>();
  const end = useMutation({
    mutationFn: ({ id }: Extension) => call(disconnectExtension, { params: { extensionId: id } }),
    onSuccess: (_, { id, type }) => {
      queryClient.setQueryData(keyOf(listExtensions, {}), (all: Extension[] | undefined) =>
        all?.filter((one) => one.id !== id),
      );
      toast.success(`The extension for ${programName(type)} is disconnected.`);
    },
    // The extension was probably removed in the meantime, so the list is refetched.
    onError: () => void refetch(),
    onSettled: () => setEnding(undefined),
  });
  return (
    <AccountSection
      id="extensions"
      title="Connected extensions"
      flush
      aside={<HelpLink href={docsHref('privacy', 'disconnect')} about="disconnecting an extension" />}
    >
      {error && !data ? (
        <Failure title="Your extensions could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows />
      ) : data.length === 0 ? (
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
        <ul>
          {data.map((extension) => (
            <AccountListItem
              key={extension.id}
              icon={<BrandIcon name={markOf(extension.type)} size={20} />}
              name={nameOf(extension)}
              meta={
                <>
                  {extension.organization.displayName}
                  {extension.version !== null && ` · version ${extension.version}`} · signed in{' '}
                  <TimeAgo at={extension.createdAt} />
                  {extension.lastUsedAt !== null && (
                    <>
                      {' '}
                      · last used <TimeAgo at={extension.lastUsedAt} />
                    </>
                  )}
                </>
              }
            >
              <Button
                variant="default"
                aria-label={`Disconnect ${nameOf(extension)}`}
                onClick={() => setEnding(extension)}
              >
                Disconnect
              </Button>
            </AccountListItem>
          ))}
        </ul>
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
          It stops reporting for {ending.organization.displayName} immediately. Reported data stays. To connect it
          again, sign in there.
        </ConfirmDialog>
      )}
    </AccountSection>
  );
}

const nameOf = ({ type, device }: Extension) => programName(type) + (device === '' ? '' : ` on ${device}`);

/** Editors based on VS Code show its icon if they have none of their own. */
const markOf = (type: string): string => (/^(vscode|vscodium|code-|windsurf)/.test(type) ? 'vscode' : type);
