import type { Provider } from '@sightline/contract/core/providers.ts';

/** Lines of a file at a commit or, if `isRef`, at the name of a branch or tag. */
export interface CodePlace {
  at: string;
  isRef?: boolean;
  path: string;
  line: number | null;
  /** The last line; null for one line. */
  lastLine?: number | null;
}

type AddressOf = (repositoryUrl: string, place: Required<CodePlace>) => string;

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** `#L3-L5`, with the prefixes of a host before the numbers. */
const lines = ({ line, lastLine }: Required<CodePlace>, first: string, last: string): string =>
  line === null ? '' : `${first}${line}${lastLine === null ? '' : `${last}${lastLine}`}`;

/** The pages of files on each code host. */
const addresses: Readonly<Record<Provider, AddressOf>> = {
  github: (url, place) => `${url}/blob/${encodeURI(place.at)}/${encodePath(place.path)}${lines(place, '#L', '-L')}`,
  gitlab: (url, place) => `${url}/-/blob/${encodeURI(place.at)}/${encodePath(place.path)}${lines(place, '#L', '-')}`,
  bitbucket: (url, place) =>
    `${url}/src/${encodeURI(place.at)}/${encodePath(place.path)}${lines(place, '#lines-', ':')}`,
  gitea: (url, place) =>
    `${url}/src/${place.isRef ? 'branch' : 'commit'}/${encodeURI(place.at)}/${encodePath(place.path)}${lines(place, '#L', '-L')}`,
  'bitbucket-data-center': (url, place) =>
    `${url}/browse/${encodePath(place.path)}?at=${encodeURIComponent(place.at)}${lines(place, '#', '-')}`,
  'azure-devops': (url, place) =>
    `${url}?path=/${encodePath(place.path)}&version=${place.isRef ? 'GB' : 'GC'}${encodeURIComponent(place.at)}${lines(place, '&line=', '&lineEnd=')}`,
  // Of the plugin Gitiles, without which no repository is connected. It has no anchor for several lines.
  gerrit: (url, place) =>
    `${url.replace('/admin/repos/', '/plugins/gitiles/')}/+/${encodeURI(place.at)}/${encodePath(place.path)}${lines({ ...place, lastLine: null }, '#', '')}`,
};

/** The page of a file on its code host; null if the URL of the repository is not HTTP(S). */
export function codeAddressOf(provider: string, repositoryUrl: string, place: CodePlace): string | null {
  if (!/^https?:\/\//.test(repositoryUrl) || !Object.hasOwn(addresses, provider)) return null;
  return addresses[provider as Provider](repositoryUrl, { isRef: false, lastLine: null, ...place });
}
